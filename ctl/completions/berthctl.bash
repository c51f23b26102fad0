# SPDX-License-Identifier: Apache-2.0
# bash completion for berthctl. Commands, options and output formats come from its own help, names of
# pods, containers and namespaces from berthd, so little here has to follow either.

# The words after berthctl that are commands: "get", "evictions explain".
_berthctl_commands() {
  berthctl "$@" --help 2> /dev/null | awk '/^Subcommands:/ { on = 1; next } /^$/ { on = 0 } on { print $1 }'
}

# "OPTION VALUE" of each option, its names apart; no VALUE: it takes none.
_berthctl_options() {
  { berthctl "$@" --help; [ $# -eq 0 ] || berthctl --help; } 2> /dev/null |
    awk '/^  -/ { value = /^  -[^ ]+ [^ ]/ ? $2 : ""; sub(/[{=].*/, "", $1); sub(/=.*/, "", value)
                  for (i = split($1, names, ","); i > 0; i--) print names[i], value }' | sort -u
}

_berthctl_formats() {
  berthctl "$@" --help 2> /dev/null | sed -n 's/^  -o,--output FORMAT//p' | grep -owE 'table|wide|json|yaml|name'
}

# What comes first behind a command; afterwards come names.
_berthctl_types() {
  case $1 in
    get) echo pods node events probes pdb ;;
    describe) echo pod node ;;
    top) echo pods node ;;
    delete | evict) echo pod ;;
    set) echo condition ;;
    evictions) echo explain log simulate ;;
  esac
}

# WHERE...: the options that say which berthd and which namespace.
_berthctl_ask() { berthctl --request-timeout 1s "$@" 2> /dev/null; }

# PREFIX WHERE...
_berthctl_pods() {
  local prefix=$1
  shift
  _berthctl_ask "$@" get pods --no-headers | awk -v prefix="$prefix" '{ print prefix $1 }'
}

# POD WHERE...: its containers, init containers as well.
_berthctl_containers() {
  local pod=$1
  shift
  [ -z "$pod" ] || _berthctl_ask "$@" get pods "${pod#pod/}" -o yaml | awk '
    /^[^ ]/ { spec = /^spec:/ } /^  [^ -]/ { on = spec && /^  (init)?[cC]ontainers:/ }
    on && (/^  - name: / || /^    name: /) { gsub(/["\047]/, "", $NF); print $NF }'
}

# CURRENT COMMAND WORD...: what may come behind a command and words that are no options.
_berthctl_names() {
  local cur=$1 command=$2
  shift 2
  local pods=""
  [[ $cur != pod/* ]] || pods=pod/
  case $command:$# in
    get:0 | describe:0 | top:0) [ -n "$pods" ] || { _berthctl_types "$command"; return; } ;;
    delete:0 | evict:0) _berthctl_types "$command"; pods=pod/ ;;
    set:0 | evictions:0) _berthctl_types "$command"; return ;;
    set:1) echo pod; pods=pod/ ;;
    set:2) [ "$2" = pod ] || return ;;
    why:0) [ -n "$pods" ] || echo node ;;
    logs:0 | exec:0) ;;
    logs:1) _berthctl_containers "$1" "${where[@]}"; return ;;
    get:* | describe:* | top:* | delete:* | evict:* | why:*)
      case $1 in
        pod | pods | po | probe | probes) pods= ;;
        pod/*) pods=pod/ ;;
        *) return ;;
      esac
      ;;
    *) return ;;
  esac
  _berthctl_pods "$pods" "${where[@]}"
}

_berthctl() {
  local cur=${COMP_WORDS[COMP_CWORD]} last=$((COMP_CWORD - 1))
  local commands=() where=() words=() known options i word option=
  known=$(_berthctl_commands)
  options=$(_berthctl_options)
  # bash takes --option=value apart.
  if [ "$cur" = = ]; then cur=; elif [ "${COMP_WORDS[last]}" = = ]; then ((last--)); fi
  for ((i = 1; i <= last; i++)); do
    word=${COMP_WORDS[i]}
    option=
    case $word in
      --) COMPREPLY=(); return ;;  # exec's command
      -*)
        grep -q -e "^$word [A-Z]" <<< "$options" || continue
        option=$word
        [ "${COMP_WORDS[i + 1]}" != = ] || ((i++))
        ((i < last)) || break
        ((i++))
        case $option in -n | --namespace | --socket) where+=("$option" "${COMP_WORDS[i]}") ;; esac
        option=
        ;;
      *)
        if grep -qxF -e "$word" <<< "$known"; then
          commands+=("$word")
          known=$(_berthctl_commands "${commands[@]}")
          options=$(_berthctl_options "${commands[@]}")
        else
          words+=("$word")
        fi
        ;;
    esac
  done
  local choices=
  case $option in
    '')
      if [[ $cur == -* ]]; then
        choices=$(awk '{ print $1 }' <<< "$options")
      elif [ -n "$known" ]; then
        choices=$known
      else
        choices=$(_berthctl_names "$cur" "${commands[*]}" "${words[@]}")
      fi
      ;;
    -o | --output) choices=$(_berthctl_formats "${commands[@]}") ;;
    -n | --namespace)
      choices=$(_berthctl_ask "${where[@]}" get pods -A --no-headers | awk '{ print $1 }' | sort -u) ;;
    -c | --container) choices=$(_berthctl_containers "${words[0]-}" "${where[@]}") ;;
    --for) choices=$(_berthctl_pods pod/ "${where[@]}") ;;
    --types) choices="Normal Warning" ;;
    *)
      if [ "$option" = --config ] || grep -qE -e "^$option (FILE|PATH)" <<< "$options"; then
        compopt -o default
        COMPREPLY=()
        return
      fi
      ;;
  esac
  mapfile -t COMPREPLY < <(compgen -W "$choices" -- "$cur")
}

complete -F _berthctl berthctl
