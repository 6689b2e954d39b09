# Bash completion of xnorbench. Its words come from the program when they are needed: commands and
# flags from --help, the names of implementations, networks and shape files from `list`.

# The names below a heading of `list`.
_xnorbench_names() {  # PROGRAM HEADING
  "$1" list 2>/dev/null |
    awk -v heading="$2" '/^[A-Z]/ { found = $1 == heading } /^  [a-z0-9]/ && found { print $1 }'
}

_xnorbench() {
  local program=${COMP_WORDS[0]} line=${COMP_LINE:0:COMP_POINT} command=${COMP_WORDS[1]}
  local word=${line##*[[:space:]]} words value before heading
  COMPREPLY=()
  if ((COMP_CWORD < 2)); then
    words=$("$program" --help 2>/dev/null | sed -nE 's/^ {1,4}([a-z]+)  +[^ ].*/\1/p')
    mapfile -t COMPREPLY < <(compgen -W "$words --help --version" -- "$word")
    return
  fi

  if [[ $word != --*=* ]]; then
    # "--name=VALUE" takes a value, "--name" does not.
    words=$("$program" "$command" --help 2>/dev/null |
      sed -nE 's/^ +(--[a-z-]+)[ =\[]+[A-Z].*/\1=/p; t; s/^ +(--[a-z-]+)( .*)?$/\1/p')
    mapfile -t COMPREPLY < <(compgen -W "$words --help" -- "$word")
    [[ ${COMPREPLY[0]:-} != *= ]] || compopt -o nospace
    return
  fi

  value=${word#*=}
  case ${word%%=*} in
    --implementations) heading=Implementations ;;
    --networks) heading=Networks ;;
    --shapes) heading=Shape ;;
    *) heading= ;;
  esac
  if [[ -n $heading ]]; then
    # The last name of a list. Bash replaces what is behind the '='.
    before=
    [[ $value != *,* ]] || before=${value%,*},
    words=$(_xnorbench_names "$program" "$heading")
    mapfile -t COMPREPLY < <(compgen -P "$before" -W "$words" -- "${value##*,}")
  fi
  if ((!${#COMPREPLY[@]})); then
    compopt -o filenames
    mapfile -t COMPREPLY < <(compgen -f -- "$value")
  fi
}

complete -F _xnorbench xnorbench
