import { spawnSync } from 'node:child_process'

import { expect, it } from 'vitest'

const LIFETIME = new URL('../src/cli/process-lifetime.ts', import.meta.url).href

/** What a process says in which a failure is not handled. */
function fail(what: string) {
  const program = `
    const { lifetime } = await import(${JSON.stringify(LIFETIME)})
    const log = (name) => (error) => console.log(name, error.message)
    const { ended } = lifetime({ crash: log('crash'), report: log('report') })
    ${what}
    const goesOn = new Promise((resolve) => setTimeout(resolve, 50, 'goes on'))
    console.log(await Promise.race([ended, goesOn]))
    process.exit()`
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
  })
  return stdout.trim().split('\n')
}

it('ends with an uncaught exception, and goes on after an unhandled rejection', () => {
  expect(fail("void Promise.reject(new Error('late'))")).toEqual(['report late', 'goes on'])
  expect(fail("setTimeout(() => { throw new Error('lost') })")).toEqual(['crash lost', 'unforeseen'])
})
