# Bash completion of xnorbench. Its words come from the program when they are needed: commands and flags
# from --help, names of implementations and networks from `list`.

_xnorbench_names() { # PROGRAM: all names that `list` prints
  "$1" list 2>/dev/null | grep -oE '^ *[a-z0-9]+(_[a-z0-9]+)+' | tr -d ' '
}

_xnorbench() {
  local program=${COMP_WORDS[0]} line=${COMP_LINE:0:COMP_POINT} command=${COMP_WORDS[1]}
  local word=${line##*[[:space:]]} help words value
  COMPREPLY=()
  if ((COMP_CWORD < 2)); then
    help=$("$program" --help 2>/dev/null)
    words=$(sed -nE 's/^ {1,4}([a-z]+)  +[^ ].*/\1/p' <<<"$help")
  else
    help=$("$program" "$command" --help 2>/dev/null)
    words=
  fi

  if [[ $word == --*=* ]]; then
    value=${word#*=}
    case ${word%%=*} in
      --implementations | --networks)
        # The last name of a list; bash replaces what is behind the '='.
        local before=
        [[ $value != *,* ]] || before=${value%,*},
        mapfile -t COMPREPLY < <(compgen -P "$before" -W "$(_xnorbench_names "$program")" -- "${value##*,}")
        ;;
      *)
        compopt -o filenames
        mapfile -t COMPREPLY < <(compgen -f -- "$value")
        ;;
    esac
    return
  fi

  # Flags: "--name VALUE" or "--name=VALUE" takes one, "--name" does not.
  words+=" $(sed -nE 's/^ {1,6}(-[a-z], ?)?(--[a-z-]+)[ =\[][A-Z].*/\2=/p; t
    s/^ {1,6}(-[a-z], ?)?(--[a-z-]+)( .*)?$/\2/p' <<<"$help")"
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
  [[ ${COMPREPLY[0]:-} != *= ]] || compopt -o nospace
}

complete -F _xnorbench xnorbench
