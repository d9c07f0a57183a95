import type { SandboxSpec } from './sandbox-spec.ts'

/**
 * Builds a sandbox with the programs of util-linux: `unshare … sh -c BUILD sh SIZE (KIND FROM AT)… -- PROGRAM ARGS…`.
 * It runs with all
 * privileges, but only over its own namespaces. It makes a copy of the root that can only be read, mounts what was
 * planned into a second
 * one, makes that the root, and gives up its privileges. It works in /sys, which is hidden afterwards. The first
 * process stays a shell,
 * which buries what its children leave.
 */
const BUILD_SCRIPT = `set -e
searched=$PATH
PATH=/usr/sbin:/usr/bin:/sbin:/bin
umask 022
size=$1
shift
mount -t tmpfs -o mode=755 tmpfs /sys
mkdir /sys/read /sys/new
mount --rbind / /sys/read
while read -r _ _ _ _ at options _; do
  case $at in
    /sys/read/proc | /sys/read/proc/* | /sys/read/sys | /sys/read/sys/* | /sys/read/dev | /sys/read/dev/*) continue ;;
    /sys/read | /sys/read/*) ;;
    *) continue ;;
  esac
  case $options in ro | ro,*) continue ;; esac
  case $at in *\\\\*)
    at=$(printf '%b.' "$(printf %s "$at" | sed 's/\\\\/\\\\0/g')")
    at=\${at%.} ;;
  esac
  [ -e "$at" ] || continue
  mount -o "remount,bind,ro\${options#rw}" "$at"
done </proc/self/mountinfo
mount --rbind /sys/read /sys/new
empty() { mount -t tmpfs -o "size=$1,mode=$2,nosuid,nodev" tmpfs "$3"; }
new=/sys/new
empty 64k 755 $new/sys
mount -t proc -o nosuid,nodev,noexec proc $new/proc
for each in sys sysrq-trigger irq bus; do
  [ -e $new/proc/$each ] || continue
  mount --bind $new/proc/$each $new/proc/$each
  mount -o remount,bind,ro,nosuid,nodev,noexec $new/proc/$each
done
empty 1m 755 $new/dev
for each in null zero full random urandom tty; do
  : >$new/dev/$each
  mount --bind /dev/$each $new/dev/$each
done
ln -s /proc/self/fd $new/dev/fd
for each in 0:stdin 1:stdout 2:stderr; do ln -s /proc/self/fd/\${each%:*} $new/dev/\${each#*:}; done
mkdir $new/dev/shm $new/dev/pts
empty "$size" 1777 $new/dev/shm
pts=newinstance,ptmxmode=0666,mode=620,nosuid,noexec
if mount -t devpts -o $pts devpts $new/dev/pts 2>/dev/null; then ln -s pts/ptmx $new/dev/ptmx; fi
mount -o remount,ro,nosuid,nodev $new/dev
while [ "$1" != -- ]; do
  from=/sys/read$2 at=$new$3
  case $1 in write) from=$2 ;; file) from=/dev/null ;; folder) from=$new ;; esac
  if [ ! -e "$at" ]; then
    mkdir -p "\${at%/*}"
    if [ -d "$from" ]; then mkdir "$at"; else : >"$at"; fi
  fi
  case $1 in folder) empty "$size" 755 "$at" ;; *) mount --rbind "$from" "$at" ;; esac
  shift 3
done
shift
ip link set lo up 2>/dev/null || ifconfig lo up 2>/dev/null || :
echo 0 >/proc/sys/user/max_user_namespaces
cd $new
pivot_root . .
umount -l .
cd /
drop=$(command -v setpriv)
PATH=$searched
exec "$drop" --bounding-set=-all --inh-caps=-all --ambient-caps=-all --no-new-privs \\
  /bin/sh -c 'exec 3>&2 2>/dev/null; (exec "$@" 2>&3 3>&-); exit $?' sh "$@"`

/**
 * Namespaces of its own, in which it keeps its user's number. With the end of unshare, also by our death, all in it
 * ends.
 */
const NAMESPACE_FLAGS = '--user --map-current-user --keep-caps --mount --pid --fork --kill-child --ipc --uts'

/** The arguments with which unshare makes a sandbox. */
export function unshareArgs({ mounts, tmpBytes, network }: SandboxSpec): readonly string[] {
  return [
    ...NAMESPACE_FLAGS.split(' '),
    ...(network === 'none' ? ['--net'] : []),
    '--',
    '/bin/sh',
    '-c',
    BUILD_SCRIPT,
    'sh',
    String(tmpBytes),
    ...mounts.flatMap(({ kind, from, at }) => [kind, from, at]),
    '--',
  ]
}
