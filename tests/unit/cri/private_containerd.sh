#!/bin/sh
# A containerd of one's own, in one folder, with one image (busybox) that is also the sandboxes'.
#   private_containerd.sh start FOLDER    prints "ready FOLDER/containerd.sock", or why not
#   private_containerd.sh stop FOLDER     ends it and all it started, and removes the folder
set -eu
folder=$2
socket=$folder/containerd.sock

build_image() {
  busybox=$(command -v busybox) || { echo "no busybox (Debian: busybox-static)"; exit 1; }
  mkdir -p "$folder/image/root/bin" "$folder/image/root/etc"
  cp "$busybox" "$folder/image/root/bin/busybox"
  for name in sh sleep true false echo cat; do
    ln -s busybox "$folder/image/root/bin/$name"
  done
  tar -C "$folder/image/root" --owner=0 --group=0 -cf "$folder/image/layer.tar" .
  layer=$(sha256sum "$folder/image/layer.tar" | cut -d' ' -f1)
  cat > "$folder/image/config.json" <<END
{"architecture": "$(dpkg --print-architecture)", "os": "linux",
 "config": {"Cmd": ["/bin/sleep", "1000000"], "Env": ["PATH=/bin"]},
 "rootfs": {"type": "layers", "diff_ids": ["sha256:$layer"]}}
END
  cat > "$folder/image/manifest.json" <<END
[{"Config": "config.json", "RepoTags": ["localhost/busybox:1"], "Layers": ["layer.tar"]}]
END
  tar -C "$folder/image" -cf "$folder/image.tar" manifest.json config.json layer.tar
}

start() {
  [ "$(id -u)" = 0 ] || { echo "not root"; exit 1; }
  for tool in containerd ctr runc; do
    command -v $tool > /dev/null || { echo "no $tool"; exit 1; }
  done
  mkdir -p "$folder"
  build_image
  cat > "$folder/config.toml" <<END
version = 2
root = "$folder/root"
state = "$folder/state"
[grpc]
  address = "$socket"
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "localhost/busybox:1"
  restrict_oom_score_adj = true
  [plugins."io.containerd.grpc.v1.cri".containerd]
    snapshotter = "native"
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "$folder/none"
    conf_dir = "$folder/none"
END
  setsid containerd --config "$folder/config.toml" > "$folder/log" 2>&1 < /dev/null &
  echo $! > "$folder/pid"
  tries=0
  until ctr --address "$socket" version > /dev/null 2>&1; do
    tries=$((tries + 1))
    [ $tries -lt 100 ] || { echo "containerd did not start: $(tail -n 1 "$folder/log")"; exit 1; }
    sleep 0.1
  done
  ctr --address "$socket" -n k8s.io images import "$folder/image.tar" > /dev/null
  echo "ready $socket"
}

stop() {
  if [ -f "$folder/pid" ]; then
    for task in $(ctr --address "$socket" -n k8s.io tasks ls -q 2> /dev/null); do
      ctr --address "$socket" -n k8s.io tasks rm -f "$task" > /dev/null 2>&1 || true
    done
    kill "$(cat "$folder/pid")" 2> /dev/null || true
    while kill -0 "$(cat "$folder/pid")" 2> /dev/null; do sleep 0.05; done
  fi
  grep -o "$folder[^ ]*" /proc/mounts | sort -r | while read -r mount; do
    umount -l "$mount" 2> /dev/null || true
  done
  rm -rf "$folder"
}

"$1"
