#!/usr/bin/env bash
# The check of the action: what it is told comes in by the environment, so that no input is taken for a command.
# SPECS, CLAIMS, OPTIONS, MINUTES: the action's inputs; REPORTS: a folder for ledger, results and report.
# It never ends without an annotation and a summary: 'verifier check' writes them, and this does where that cannot.
# All of this may be missing. So it also runs without GitHub, and then writes to a new folder.
set -uo pipefail
if [ -z "${REPORTS-}" ]; then
  REPORTS=$(mktemp -d)
  echo "ledger, results, report and summary: $REPORTS" >&2
fi
: "${SPECS=specs}" "${CLAIMS=}" "${OPTIONS=}" "${MINUTES=30}" "${GITHUB_OUTPUT=$REPORTS/outputs}"
export GITHUB_STEP_SUMMARY="${GITHUB_STEP_SUMMARY-$REPORTS/summary.md}"
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

# Annotates what $said has: each line that begins with a place, with the indented lines below it; and the last of all
# other lines together, below the title $2. Then adds all of it to the summary, below the sentence $1.
tell() {
  local line shown place='^(.+):([0-9]+):([0-9]+):\ (.*)$' placed='' rest='' nl=$'\n'
  {
    printf '## Game claim verifier\n\n**%s**\n\n' "$1"
    while IFS= read -r line; do
      shown=$line
      if [[ $line == ::* ]]; then # an annotation, which the runner has read on standard error
        shown=${line#::*::}
        shown=${shown//%0A/$nl    }
        shown=${shown//%25/%}
      fi
      printf '    %s\n' "$shown"
    done <"$said"
    echo
  } >>"$GITHUB_STEP_SUMMARY"
  while IFS= read -r line; do
    if [[ $line == ::* ]]; then
      continue
    fi
    line=${line//%/%25}
    if [[ $line =~ $place ]]; then
      local file=${BASH_REMATCH[1]//:/%3A}
      placed+="${placed:+$nl}::error file=${file//,/%2C},line=${BASH_REMATCH[2]},col=${BASH_REMATCH[3]}::${BASH_REMATCH[4]}"
    elif [[ $line == "    "* && -n $placed ]]; then
      placed+="%0A${line#    }"
    else
      rest+="${rest:+%0A}$line"
    fi
  done < <(tail -n 20 "$said")
  if [ -n "$placed" ]; then
    echo "$placed"
  fi
  if [ -n "$rest" ]; then
    echo "::error title=$2::$rest"
  fi
}

case "$MINUTES" in
  '' | *[!0-9]*)
    echo "'minutes' must be a whole number, not '$MINUTES'" | tee "$said" >&2
    tell "Nothing was checked" "wrong input"
    rm -r "$work"
    exit 2
    ;;
esac

set -f # CLAIMS and OPTIONS are split at spaces, and nothing in them is expanded
# shellcheck disable=SC2086
verifier check $CLAIMS --specs "$SPECS" --format github --report "json=$REPORTS/ledger.json" \
  --report "sarif=$REPORTS/ledger.sarif" --report "html=$REPORTS/report.html" $OPTIONS >"$printed" 2> >(
  tee "$said" >&2
  : >"$work/all-said"
) &
check=$!
trap 'kill -TERM "$check" 2>/dev/null' INT TERM # the runner stops this shell, and the check has to say how far it came
{
  for ((second = 0; second < 10#$MINUTES * 60; second++)); do
    sleep 1
    kill -0 "$check" 2>/dev/null || exit 0
  done
  echo "the time limit was reached (input 'minutes': $MINUTES); the next run continues from what is decided" >"$late"
  printf '**Not everything was checked:** %s.\n\n' "$(<"$late")" >>"$GITHUB_STEP_SUMMARY"
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
  echo "::error title=time limit::$(<"$late")"
fi
for ((tenth = 0; tenth < 20; tenth++)); do # 'tee' ends a little later than the check
  [ -e "$work/all-said" ] && break
  sleep 0.1
done
if [ ! -s "$printed" ]; then
  if ! grep -q '^::error' "$said"; then
    why="verifier check ended with exit code $code"
    if ((code == 137)); then
      why+=": it was killed, perhaps because there was not enough memory"
    fi
    echo "$why" | tee -a "$said" >&2
  fi
  tell "No verdict was printed (exit code $code)" "no verdict was printed (exit code $code)"
elif ((code < 2)) && ! verifier validate "$SPECS" >/dev/null 2>"$said"; then
  cat "$said" >&2
  tell "Every claim was checked, but a spec file that no claim uses is wrong" "wrong specs"
  code=2
fi
# Code scanning closes each alert that an upload lacks, so a run that has not checked everything must not be uploaded.
complete=false
if grep -qs '"executionSuccessful": true' "$REPORTS/ledger.sarif"; then
  complete=true
fi
echo "complete=$complete" >>"$GITHUB_OUTPUT"
rm -r "$work"
exit "$((code < least ? least : code))"
