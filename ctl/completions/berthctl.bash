# SPDX-License-Identifier: Apache-2.0
# bash completion for berthctl. Commands and options come from its own help, names of pods and
# namespaces from berthd, so little here has to follow either.

# The words after berthctl that are commands: "get", "evictions explain".
_berthctl_commands() {
  berthctl "$@" --help 2> /dev/null | awk '/^Subcommands:/ { on = 1; next } /^$/ { on = 0 } on { print $1 }'
}

_berthctl_options() {
  { berthctl "$@" --help; [ $# -eq 0 ] || berthctl --help; } 2> /dev/null |
    awk '/^  -/ { gsub(/[{=].*/, "", $1); gsub(/,/, "\n", $1); print $1 }' | sort -u
}

# What comes first behind a command; afterwards come names.
_berthctl_types() {
  case $1 in
    get) echo pods node events probes pdb ;;
    describe) echo pod node ;;
    top) echo pods node ;;
    set) echo condition ;;
    evictions) echo explain log simulate ;;
  esac
}

_berthctl_ask() { berthctl --request-timeout 1s "$@" 2> /dev/null; }

_berthctl() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}
  local commands=() namespace=() known i word
  known=$(_berthctl_commands)
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    case $word in
      --) COMPREPLY=(); return ;;  # exec's command
      -n | --namespace) namespace=(-n "${COMP_WORDS[i + 1]}"); ((i++)); continue ;;
    esac
    if grep -qxF -e "$word" <<< "$known"; then
      commands+=("$word")
      known=$(_berthctl_commands "${commands[@]}")
    fi
  done
  local choices=
  case $prev in
    -o | --output) choices="table wide json yaml name" ;;
    -n | --namespace) choices=$(_berthctl_ask get pods -A --no-headers | awk '{ print $1 }' | sort -u) ;;
    --config | --socket | -f | --filename) compopt -o default; COMPREPLY=(); return ;;
    *)
      if [[ $cur == -* ]]; then
        choices=$(_berthctl_options "${commands[@]}")
      elif [ -n "$known" ]; then
        choices=$known
      elif [ "$prev" = "${commands[*]}" ] && [ -n "$(_berthctl_types "$prev")" ]; then
        choices=$(_berthctl_types "$prev")
      elif [ "${commands[*]}" != evictions ] && [ "${commands[*]}" != shutdown-plan ] &&
        [ "${commands[*]}" != reload ]; then
        choices=$(_berthctl_ask "${namespace[@]}" get pods --no-headers | awk '{ print $1 }')
      fi
      ;;
  esac
  mapfile -t COMPREPLY < <(compgen -W "$choices" -- "$cur")
}

complete -F _berthctl berthctl
