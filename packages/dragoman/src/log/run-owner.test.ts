import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { hostname } from 'node:os'

import { describe, expect, it } from 'vitest'

import { isOwnerDead, createOwnerName } from './run-owner.ts'

const now = 1_000_000

describe('an owner', () => {
  it('is alive until its lease is over', () => {
    expect(isOwnerDead(createOwnerName(), now + 1, now)).toBe(false)
    expect(isOwnerDead(createOwnerName(), now, now)).toBe(true)
    expect(isOwnerDead('elsewhere/1/x/y', now + 1, now)).toBe(false)
  })

  it('is gone at once when its process on this host has died', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
    await once(child, 'spawn')
    const owner = `${hostname()}/${child.pid}/x/y`
    expect(isOwnerDead(owner, now + 1, now)).toBe(false)
    if (process.platform === 'linux') {
      // Its number was another's before.
      expect(isOwnerDead(`${hostname()}/${child.pid}/1.x/y`, now + 1, now)).toBe(true)
      expect(isOwnerDead(createOwnerName().replace(`/${process.pid}/`, `/${child.pid}/`), now + 1, now)).toBe(
        true,
      )
    }

    child.kill('SIGKILL')
    await once(child, 'exit')

    expect(isOwnerDead(owner, now + 1, now)).toBe(true)
  })

  it('is gone when an earlier process had our number', () => {
    expect(isOwnerDead(`${hostname()}/${process.pid}/another/y`, now + 1, now)).toBe(true)
  })

  it.runIf(process.platform === 'linux')('is gone though its parent has not taken note', async () => {
    // The shell's child ends at once; the shell, become another program, never waits for it.
    const shell = spawn('sh', ['-c', 'true & echo $!; exec sleep 30'])
    const [pid] = (await once(shell.stdout, 'data')) as [Buffer]

    const isOwnerGone = () => isOwnerDead(`${hostname()}/${String(pid).trim()}/x/y`, now + 1, now)
    await expect.poll(isOwnerGone, { timeout: 5000 }).toBe(true)

    shell.kill()
  })
})
