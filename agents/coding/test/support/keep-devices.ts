import { expect } from 'vitest'

import { output, type Sandbox } from './walls.ts'

/** Whether no command changes a device of the machine, by its path, where it hides a file, or through a descriptor. */
export async function keepDevices(sandbox: Sandbox): Promise<void> {
  const { text } = await output(
    sandbox,
    // The modes are those that they have, so that a hole changes nothing of this machine.
    'for each in /dev/null /dev/zero /dev/tty /proc/keys /proc/*/fd/*; do ' +
      'test -c $each && touch $each 2>/dev/null && echo TOUCHED $each; ' +
      'test -c $each && chmod 666 $each 2>/dev/null && echo CHANGED $each; done; ' +
      `perl -e 'for (0 .. 99) { open my $f, "<&=", $_ or next; ` +
      `-c $f and chmod(0666, $f) and print "CHANGED at $_ " }'; ` +
      'echo x >/dev/null && head -c 3 /dev/zero /dev/urandom | wc -c; cat; cat /proc/keys /dev/stdin; echo end',
  )
  expect(text).toMatch(/^\d+\nend\n$/)
}
