"""What scripts/report is made of: loading, medians and ratios, plots, sections, page."""
