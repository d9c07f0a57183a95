import { describe, expect, it } from 'vitest'

import { commandTool } from '../../src/commands/commands.fixture.ts'
import { SANDBOXES } from '../support/walls.ts'

const MEGABYTE = 2 ** 20
const limits = {
  commandMemoryBytes: 2 ** 30,
  commandTotalMemoryBytes: 200 * MEGABYTE,
  commandProcesses: 100,
  commandFileBytes: MEGABYTE,
  commandTmpBytes: 32 * MEGABYTE,
  commandDiskReserveBytes: MEGABYTE,
}

/** Each takes memory that no process has, and writes how many MB by now, more than the limit in the end. */
const WAYS: Readonly<Record<string, string>> = {
  'full sockets': `use Socket; use IO::Handle; $SIG{PIPE} = "IGNORE"; my ($held, @all) = 0;
    for my $child (1..4) { next if fork;
      for (1..1500) { socketpair(my $one, my $other, AF_UNIX, SOCK_STREAM, 0) or last; push @all, $one, $other;
        for ($one, $other) { setsockopt($_, SOL_SOCKET, SO_SNDBUF, 1 << 20); $_->blocking(0);
          while (my $count = syswrite($_, "x" x 65536)) { $held += $count } }
        syswrite STDOUT, ($held >> 20) . "\\n" if $_ % 50 == 0 }
      sleep 20; exit } sleep 20`,
  'segments of shared memory': `for (1..4096) { $id = shmget(0, 1 << 20, 01600); defined $id or last;
      shmwrite($id, "x" x (1 << 20), 0, 1 << 20); syswrite STDOUT, "$_\\n" }
    for (1..4096) { $id = shmget(0, 16384, 01600); defined $id or last; $n = $_ } syswrite STDOUT, ($n >> 6) . "\\n"`,
  'queues and semaphores': `for (1..32000) { defined msgget(0, 01600) or last; syswrite STDOUT, "$_\\n" }
    for (1..32000) { defined semget(0, 32000, 01600) or last; syswrite STDOUT, "$_\\n" }`,
  'files without content': `for (1..2000000) { open F, ">", "/tmp/$_" or last; close F;
      syswrite STDOUT, ($_ >> 10) . "\\n" if $_ % 10240 == 0 } sleep 5`,
}

describe.skipIf(process.platform !== 'linux').each(SANDBOXES)(
  'memory of the kernel, in the sandbox of $sandbox',
  ({ sandbox, works }) => {
    it.skipIf(!works).each(Object.entries(WAYS))('is limited for %s', async (_, script) => {
      const { run } = await commandTool({ sandbox, limits, timeoutMs: 60_000 })

      const { output } = await run(`perl -e '${script}'`)

      const { output: text } = output as { output: string }
      const last = Math.max(
        0,
        ...text
          .split('\n')
          .filter((line) => /^\d+$/.test(line))
          .map(Number),
      )
      // A process that takes memory is faster than the server looks.
      expect(last).toBeLessThan(1000)
    })

    it.skipIf(!works)('lets a command have what others need', async () => {
      const { run } = await commandTool({ sandbox, limits, timeoutMs: 60_000 })
      const script = `use Socket;
        for (1..300) { socketpair(my $c, my $d, AF_UNIX, SOCK_STREAM, 0) or die; push @all, $c, $d }
        defined shmget(0, 56, 01600) or die;
        for (1..2000) { open F, ">", "/tmp/$_" or die; close F } sleep 1; print "done"`

      const { output } = await run(`perl -e '${script}'`)

      expect(output).toMatchObject({ exitCode: 0, output: 'done' })
    })
  },
)
