import type { Mount } from './mount-plan.ts'
import { DEVICES, emptyFolders, temporaryFolders, type SandboxSpec } from './sandbox-spec.ts'

/** The descriptor at which bubblewrap finds the filter. */
export const FILTER_DESCRIPTOR = 4

/**
 * The space for temporary folders. One bubblewrap can only show the machine's folders more than once, and none of its
 * own. So an outer one mounts a single file system at /sys, which is hidden afterwards, and the inner one shows its
 * folders. The inner one is the first of its processes, so that it outlives a signal to all of them.
 */
const SPACE_FLAGS = '--unshare-user --unshare-pid --as-pid-1 --die-with-parent --dev-bind / /'
const SPACE = '/sys'

/**
 * Runs in the outer one if we own the machine's devices. The inner one shows them as it finds them, and bubblewrap
 * cannot mount a device that is only read.
 */
const DEVICES_FLAGS = '--cap-add CAP_SYS_ADMIN'
const DEVICES_SCRIPT = `set -e
searched=$PATH
PATH=/usr/sbin:/usr/bin:/sbin:/bin:/run/current-system/sw/bin
for each in ${DEVICES}; do
  mount --bind /dev/$each /dev/$each
  mount -o remount,bind,ro,nosuid,noexec /dev/$each
done
PATH=$searched
exec "$@" </dev/null`

/** Everything of its own but the files; with its end, also by our death, all in it ends. */
const NAMESPACE_FLAGS =
  '--unshare-user --disable-userns --unshare-pid --unshare-ipc --unshare-uts --unshare-cgroup-try --cap-drop ALL ' +
  `--die-with-parent --seccomp ${FILTER_DESCRIPTOR}`

/** Root's own number is enough to write settings of the kernel, so nothing of /proc can be written. */
const ROOT_FLAGS = '--ro-bind / / --dev /dev --remount-ro /dev --proc /proc --remount-ro /proc'

/** The arguments with which bubblewrap makes a sandbox. */
export function bubblewrapArgs(spec: SandboxSpec): readonly string[] {
  const folders = new Map(temporaryFolders(spec).map((at, index) => [at, `${SPACE}/${index}`]))
  const show = (at: string): readonly string[] => ['--bind', folders.get(at) ?? SPACE, at]
  const ownsDevices = process.getuid?.() === 0
  return [
    ...SPACE_FLAGS.split(' '),
    ...(ownsDevices ? DEVICES_FLAGS.split(' ') : []),
    '--size',
    String(spec.tmpBytes),
    '--tmpfs',
    SPACE,
    ...[...folders.values()].flatMap((folder) => ['--dir', folder]),
    '--',
    ...(ownsDevices ? ['/bin/sh', '-c', DEVICES_SCRIPT, 'sh'] : []),
    spec.file,
    ...NAMESPACE_FLAGS.split(' '),
    ...(spec.network === 'none' ? ['--unshare-net'] : []),
    ...ROOT_FLAGS.split(' '),
    ...show('/dev/shm'),
    ...spec.mounts.flatMap((mount) => (mount.kind === 'temporary' ? show(mount.at) : mountArgs(mount))),
    ...emptyFolders(spec).flatMap((at) => ['--remount-ro', at]),
    '--chdir',
    '/',
    '--',
  ]
}

function mountArgs({ kind, from, at }: Mount): readonly string[] {
  if (kind === 'folder') return ['--perms', '0555', '--size', '4096', '--tmpfs', at]
  if (kind === 'file') return ['--dev-bind', '/dev/null', at]
  return [kind === 'write' ? '--bind' : '--ro-bind', from, at]
}
