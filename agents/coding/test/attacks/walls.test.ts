import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { userInfo } from 'node:os'
import { join } from 'node:path'

import { describe, expect, it, onTestFinished } from 'vitest'

import { commandTool, SYSTEM_PATH } from '../../src/commands/commands.fixture.ts'
import { findProgram } from '../../src/commands/find-program.ts'
import * as calls from '../../src/commands/system-calls.ts'
import {
  documentedRows,
  numberOf,
  output,
  outputIn,
  SANDBOXES,
  systemCalls,
  temporaryFolder,
  visibleParent,
  type Sandbox,
} from '../support/walls.ts'
import { keepDevices } from '../support/keep-devices.ts'
import { refuseSetIdBits } from '../support/refuse-set-id-bits.ts'

const SECRET = 'OUT-OF-BOUNDS'
const hasPerl = (await findProgram(SYSTEM_PATH, 'perl', [])) !== undefined

const limits = {
  commandMemoryBytes: 2 ** 30,
  commandTotalMemoryBytes: 200 * 2 ** 20,
  commandProcesses: 60,
  commandFileBytes: 2 ** 20,
  commandTmpBytes: 20 * 2 ** 20,
  commandDiskReserveBytes: 2 ** 20,
}

/** For each row of the documented table what shows that it holds. */
const WALLS: Readonly<Record<string, (sandbox: Sandbox) => Promise<void>>> = {
  async 'the workspace'(sandbox) {
    const { root, text } = await output(sandbox, 'cat seen.txt; echo new >made.txt', {
      files: { 'seen.txt': 'seen' },
    })
    expect(text).toBe('seen')
    expect(await readFile(join(root, 'made.txt'), 'utf8')).toBe('new\n')
  },
  async 'the home'(sandbox) {
    const { run, home } = await commandTool({ sandbox })
    await mkdir(join(home, '.nvm'))
    await writeFile(join(home, '.nvm/tool'), 'a tool')
    await writeFile(join(home, 'letter.txt'), SECRET)
    await writeFile(
      join(home, '.gitconfig'),
      `[user]\nname = Ada\n[url "https://ada:${SECRET}@git.lan/"]\ninsteadOf = https://git.lan/\n`,
    )
    const { text } = await run(
      'cd ~; cat .nvm/tool; git config user.name; grep -r . .; ls -A; echo x >~/x && cat ~/x',
    )
    expect(text).toMatch(/a tool/)
    expect(text).toMatch(/Ada/)
    expect(text).not.toMatch(new RegExp(`${SECRET}|letter`))
  },
  async 'homes of other users'(sandbox) {
    // The home of this test's user is `home`, and that of its account may have tools.
    const own = userInfo().homedir
    const find = `find /home /root -not -path '${own}/*' -not -path '${own}' -mindepth 1 2>/dev/null`
    const { text } = await output(
      sandbox,
      `${find}; touch /home/x 2>&1; cat ${own}/.bashrc ${own}/.profile; echo end`,
    )
    expect(text.replaceAll(/^(?:touch|cat): .*\n/gm, '')).toBe('end\n')
  },
  async '`$DRAGOMAN_HOME`, `.ssh`, `.aws`, `.npmrc`, `.gitconfig` and similar'(sandbox) {
    const at = await temporaryFolder(await visibleParent())
    await mkdir(join(at, 'home/server'), { recursive: true })
    for (const folder of ['alias', 'part']) await mkdir(join(at, folder))
    for (const file of ['server/dragoman.db', '.npmrc']) await writeFile(join(at, 'home', file), SECRET)
    const userFlag = process.getuid?.() === 0 ? '' : '-r'
    const text = await outputIn(
      sandbox,
      at,
      `exec unshare ${userFlag} -m --propagation private sh -c 'set -e
        mount --bind ${at}/home/server ${at}/alias; mkdir ${at}/root/inside; mount --bind ${at}/home ${at}/root/inside
        exec "$@"' sh "$@"`,
      `ls ${at}; cat ${at}/alias/* inside/server/* inside/.npmrc ${at}/home/server/*; echo end`,
    )
    expect(text).toContain('alias')
    expect(text).toContain('end')
    expect(text).not.toContain(SECRET)
  },
  async '`/tmp`, `/var/tmp`, `/run`, `/dev/shm`'(sandbox) {
    const places = '/tmp /var/tmp /run /dev/shm'
    const { text } = await output(
      sandbox,
      `find ${places} -type s -o -type f -size +0; for each in ${places}; do echo x >$each/x && echo made $each; done`,
    )
    expect(text).toBe(places.replaceAll(/(\S+) ?/g, 'made $1\n'))
  },
  async '`/proc`'(sandbox) {
    const { text } = await output(
      sandbox,
      'cat /proc/sys/vm/stat_interval; find /proc -type f -writable -exec test -f {} ";" -print 2>/dev/null | ' +
        'grep -v "^/proc/[0-9]" | head; ' +
        'for each in sys/vm/stat_interval sysrq-trigger self/oom_score_adj; do (echo 1 >/proc/$each) 2>&1; done; ' +
        'cat /proc/keys /proc/timer_list; ls /proc | grep -c "^[0-9]"',
    )
    const lines = text.trim().split('\n')
    expect(lines[0]).toMatch(/^\d+$/)
    const isRefusal = (line: string) => /Read-only file system|Permission denied|No such file/.test(line)
    expect(lines.slice(1, -1).filter((line) => !isRefusal(line))).toEqual([])
    expect(Number(lines.at(-1))).toBeLessThan(12)
  },
  async '`/sys`'(sandbox) {
    const { text } = await output(sandbox, 'ls -A /sys; touch /sys/x 2>/dev/null && echo WRITTEN; echo end')
    expect(text).toBe('end\n')
  },
  async 'everything else'(sandbox) {
    const { text } = await output(
      sandbox,
      'head -c 1 /usr/bin/env | wc -c; touch /usr/x /etc/x 2>&1; echo end',
    )
    expect(text).toMatch(/^1\n.*Read-only file system\n.*Read-only file system\nend\n$/)
  },
  devices: keepDevices,
  async processes(sandbox) {
    const { text } = await output(
      sandbox,
      `kill -0 ${process.pid} 2>&1; for i in $(seq 200); do sleep 5 & done 2>/dev/null; jobs -p | wc -l`,
      { limits },
    )
    expect(text).toMatch(/No such process/)
    expect(Number(/(\d+)\n$/.exec(text)?.[1] ?? 0)).toBeLessThan(60)
  },
  async memory(sandbox) {
    const { text } = await output(
      sandbox,
      'for each in /tmp /var/tmp /run ~ /dev/shm; do for i in 1 2 3 4 5 6 7 8; do ' +
        'head -c 1000000 /dev/zero >$each/$i; done; done 2>/dev/null; ' +
        'cat /tmp/? /var/tmp/? /run/? ~/? /dev/shm/? | wc -c',
      { limits },
    )
    expect(Number(text)).toBeGreaterThan(15 * 2 ** 20)
    expect(Number(text)).toBeLessThanOrEqual(20 * 2 ** 20)
    const each = `perl -e '$x = "x" x (90 << 20); sleep 2; print "survived\\n"'`
    const { text: survivors } = await output(sandbox, `${each} & ${each} & ${each} & wait`, { limits })
    expect(survivors.match(/^survived$/gm)?.length ?? 0).toBeLessThan(3)
  },
  async disk(sandbox) {
    const { text } = await output(sandbox, 'head -c 3000000 /dev/zero >big; stat -c %s big', { limits })
    expect(text).toMatch(/1048576\n$/)
  },
  async 'system calls'(sandbox) {
    const listed = [...calls.REFUSED_CALLS, ...calls.MISSING_CALLS]
      .map(numberOf)
      .filter((number) => number >= 0)
    const lines = Object.fromEntries(listed.map((number) => [`call-${number}`, [number, 0, 0, 0, 0, 0, 0]]))
    const { text } = await output(
      sandbox,
      systemCalls({
        ...lines,
        'new-user': [numberOf(calls.CLONE), 0x1000_0000 + 17, 0, 0, 0, 0],
        lease: [numberOf(calls.FCNTL), 0, 1024, 1],
        later: [calls.LAST_KNOWN_NUMBER + 1, 0, 0, 0, 0, 0],
        getpid: [process.arch === 'x64' ? 39 : 172],
      }),
    )
    for (const line of text.trim().split('\n').slice(0, -1)) expect(line).toMatch(/ (?:1|38)$/)
    expect(text).toContain('getpid made')
  },
  async 'keys of the kernel'(sandbox) {
    const [keyctl, add] = process.arch === 'x64' ? [250, 248] : [219, 217]
    const at = await temporaryFolder()
    const script = `exec perl -e 'syscall(${keyctl}, 1, 0); $d = "${SECRET}";
      $t = "user"; $n = "dragoman-wall"; syscall(${add}, $t, $n, $d, length($d), -3); exec @ARGV' "$@"`
    const text = await outputIn(
      sandbox,
      at,
      script,
      `perl -e '$t = "user"; $n = "dragoman-wall"; $k = syscall(${keyctl}, 10, -3, $t, $n, 0); $b = "\\0" x 99;
        syscall(${keyctl}, 11, $k, $b, 99) if $k > 0; print "$k $b\\n"'; cat /proc/keys; echo end`,
    )
    expect(text).toMatch(/^-1 /)
    expect(text).not.toContain(SECRET)
  },
  async sockets(sandbox) {
    const at = await temporaryFolder(await visibleParent())
    const service = createServer((socket) => socket.end(SECRET)).listen(join(at, 'app.sock'))
    onTestFinished(() => void service.close())
    const { text } = await output(
      sandbox,
      `perl -MSocket -e 'for $f (1, 17, 31, 38, 40, 44) { for $t (1, 2, 3, 5) {
          print "family $f type $t\\n" if socket(S, $f, $t, 0) } }
        print "in\\n" if socket(S, AF_INET, SOCK_STREAM, 0);
        print "datagrams\\n" if socketpair(A, B, AF_UNIX, SOCK_DGRAM, 0);
        print "pair\\n" if socketpair(A, B, AF_UNIX, SOCK_STREAM, 0);
        print "reached\\n" if connect(A, sockaddr_un("${at}/app.sock"));'`,
    )
    expect(text).toBe('in\npair\n')
  },
  async 'open files of the server'(sandbox) {
    const at = await temporaryFolder(await visibleParent())
    await writeFile(join(at, 'secret'), SECRET)
    const script = `exec perl -e '$^F = 999; opendir $d, "${at}"; open $f, "<", "${at}/secret"; open $g, ">&=", 1;
      use POSIX; POSIX::dup2(fileno($f), 40); POSIX::dup2(fileno($f), 9); exec @ARGV' "$@"`
    const text = await outputIn(
      sandbox,
      at,
      script,
      'for each in /proc/[0-9]*/fd/*; do case $(readlink $each) in ' +
        '*dragoman*) readlink $each; cat $each ;; esac; done; ls /proc/self/fd | wc -l; echo end',
    )
    expect(text).toMatch(/^\d+\nend\n$/)
    // The fourth is the folder that `ls` reads.
    expect(Number(text.split('\n')[0])).toBe(4)
  },
  async privileges(sandbox) {
    const { text } = await output(
      sandbox,
      'grep -E "^(Cap|NoNewPrivs|Seccomp:)" /proc/self/status; mount -t tmpfs x /tmp 2>&1',
    )
    expect(text.match(/Cap\w+:\t0000000000000000/g)).toHaveLength(5)
    expect(text).toMatch(/NoNewPrivs:\t1\nSeccomp:\t2/)
  },
  'set-user-id and set-group-id bits': refuseSetIdBits,
  async network(sandbox) {
    const service = createServer((socket) => socket.end(SECRET)).listen(0, '127.0.0.1')
    onTestFinished(() => void service.close())
    await new Promise((resolve) => service.once('listening', resolve))
    const { port } = service.address() as { port: number }
    const { text } = await output(
      sandbox,
      `exec 3<>/dev/tcp/127.0.0.1/${port} && cat <&3; cat /proc/net/dev | wc -l`,
    )
    expect(text).not.toContain(SECRET)
    expect(text).toMatch(/\n3\n$/)
  },
}

it('tests each row of the documented table', () => {
  expect(Object.keys(WALLS).toSorted()).toEqual(documentedRows().toSorted())
})

describe.skipIf(process.platform !== 'linux').each(SANDBOXES)(
  'the sandbox of $sandbox',
  ({ sandbox, works }) => {
    it.skipIf(!works || !hasPerl).each(Object.entries(WALLS))('is as documented: %s', async (_, test) => {
      await test(sandbox)
    })
  },
)
