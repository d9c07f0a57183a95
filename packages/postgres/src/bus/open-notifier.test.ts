import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

import { describe, expect, it } from 'vitest'

import { openNotifier } from '../index.ts'
import { findBuses } from './bus.fixture.ts'
import { findFreePort } from '../../../../test/support/find-free-port.ts'

const MODULE = JSON.stringify(new URL('../index.ts', import.meta.url).href)

/** What a process of its own prints before it ends by itself. */
async function runProgram(program: string, ...options: string[]): Promise<string> {
  const code = `import { openNotifier } from ${MODULE}\n${program}`
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [...options, '--input-type=module', '--eval', code],
    { timeout: 20_000 },
  )
  return stdout
}

describe('opening a notifier', () => {
  it.each(['redis', 'rediss', 'nats'])('of %s names NOTIFY_URL if no server is there', async (scheme) => {
    const port = await findFreePort()

    const opening = openNotifier(`${scheme}://dragoman:secret@127.0.0.1:${port}`)

    const error: unknown = await opening.catch((reason: unknown) => reason)
    expect(error).toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining(`NOTIFY_URL: ${scheme}://127.0.0.1:${port} cannot be used: conne`),
    })
    expect(JSON.stringify(error) + String(error)).not.toContain('secret')
  })

  it.each(['', 'secret', 'amqp://u:secret@127.0.0.1'])('refuses the URL %j', async (url) => {
    await expect(openNotifier(url)).rejects.toMatchObject({
      code: 'invalid-request',
      message: 'NOTIFY_URL must begin with redis://, rediss:// or nats://.',
    })
  })

  it.each([
    ['redis', 'ioredis'],
    ['nats', '@nats-io/transport-node'],
  ])('of %s tells what to install', async (scheme, name) => {
    const hooks = `
      import { registerHooks } from 'node:module'
      registerHooks({
        resolve(specifier, context, next) {
          if (specifier !== '${name}') return next(specifier, context)
          throw Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' })
        },
      })`

    const output = await runProgram(
      `await openNotifier('${scheme}://127.0.0.1').catch((error) => console.log(error.message))`,
      `--import=data:text/javascript,${encodeURIComponent(hooks)}`,
    )

    expect(output).toBe(
      `NOTIFY_URL: ${scheme}://127.0.0.1 needs the package ${name}. Run: npm install ${name}\n`,
    )
  })
})

for (const { name, url, isThere } of await findBuses()) {
  it.runIf(isThere)(`${name} lets a process end`, async () => {
    const output = await runProgram(`
      const notifier = await openNotifier('${url}', { prefix: 'dragoman-test-end' })
      await notifier.listen('run_1', () => {})
      notifier.notify('run_1')
      await notifier[Symbol.asyncDispose]()
      console.log('closed')
    `)

    expect(output).toBe('closed\n')
  })
}
