#!/usr/bin/env bash
# The check of the action: what it is told comes in by the environment, so that no input is taken for a command.
# SPECS, CLAIMS, OPTIONS, MINUTES: the action's inputs; REPORTS: a folder for ledger, results and report.
# It never ends without an annotation and a summary: 'verifier check' writes them, and this does where that cannot.
set -uo pipefail
least=0 # the exit code is at least this
if ! {
  echo "ledger=$REPORTS/ledger.json" && echo "sarif=$REPORTS/ledger.sarif" && echo "report=$REPORTS/report.html"
} >>"$GITHUB_OUTPUT"; then
  echo "::error title=cannot write::the outputs of the action: $GITHUB_OUTPUT"
  least=2
fi
rm -f "$REPORTS/ledger.json" "$REPORTS/ledger.sarif" "$REPORTS/report.html" # of an earlier check, which would be uploaded
# Removed at the end, and not by a trap: the shell that is about to become the check has it too, and may be stopped first.
work=$(mktemp -d)
printed=$work/printed
said=$work/said
late=$work/late # what is said of the time limit, once it is reached

# Annotates the last lines of $said that begin with a place, or all at once, and adds them to the summary.
tell() {
  local line value
  while IFS= read -r line; do
    value=${line//%/%25}
    if [[ $value =~ ^(.+):([0-9]+):([0-9]+):\ (.*)$ ]]; then
      local file=${BASH_REMATCH[1]//:/%3A}
      echo "::error file=${file//,/%2C},line=${BASH_REMATCH[2]},col=${BASH_REMATCH[3]}::${BASH_REMATCH[4]}"
    else
      echo "::error::$value"
    fi
  done < <(tail -n 20 "$said")
  {
    printf '## Game claim verifier\n\n%s\n\n' "$1"
    sed 's/^/    /' "$said"
    echo
  } >>"${GITHUB_STEP_SUMMARY:-/dev/null}"
}

case "$MINUTES" in
  '' | *[!0-9]*)
    echo "minutes: '$MINUTES' is no number" | tee "$said" >&2
    tell "Nothing was checked."
    rm -r "$work"
    exit 2
    ;;
esac

set -f # CLAIMS and OPTIONS are split at spaces, and nothing in them is expanded
# shellcheck disable=SC2086
verifier check $CLAIMS --specs "$SPECS" --format github --report "json=$REPORTS/ledger.json" \
  --report "sarif=$REPORTS/ledger.sarif" --report "html=$REPORTS/report.html" $OPTIONS >"$printed" 2> >(tee "$said" >&2) &
check=$!
trap 'kill -TERM "$check" 2>/dev/null' INT TERM # the runner stops this shell, and the check has to say how far it came
{
  for ((second = 0; second < 10#$MINUTES * 60; second++)); do
    sleep 1
    kill -0 "$check" 2>/dev/null || exit 0
  done
  echo "the time limit was reached (input 'minutes': $MINUTES); the next run continues from what is decided" >"$late"
  printf '**Not everything was checked:** %s.\n\n' "$(<"$late")" >>"${GITHUB_STEP_SUMMARY:-/dev/null}"
  kill -TERM "$check"
} &
wait "$check"
code=$?
while kill -0 "$check" 2>/dev/null; do # a signal ends 'wait', but not yet the check
  wait "$check"
  code=$?
done
cat "$printed"
if [ -s "$late" ]; then
  echo "::error::$(<"$late")"
fi
if [ ! -s "$printed" ]; then
  echo "verifier check has printed no verdict (exit code $code)" | tee -a "$said" >&2
  tell "No verdict was printed."
elif ((code < 2)) && ! verifier validate "$SPECS" >/dev/null 2>"$said"; then
  cat "$said" >&2
  tell "Every claim was checked, but a spec file that no claim uses is wrong."
  code=2
fi
rm -r "$work"
exit "$((code < least ? least : code))"
