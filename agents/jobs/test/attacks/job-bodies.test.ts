import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { says, scriptedModel, step } from '../../../../test/support/scripted-model.ts'
import { openServer, type TestServer } from '../../../../test/support/server.ts'
import { jobs } from '../../src/index.ts'

/** Bodies that are small enough to be let in, and were made to take long. */
describe('the body of a resume or a page', () => {
  let server: TestServer
  beforeAll(async () => {
    const { models } = scriptedModel([step(says('…'))])
    server = await openServer({ models, agents: [jobs] })
  })
  afterAll(() => server[Symbol.asyncDispose]())

  const send = async (path: string, body: string, type = 'application/json') => {
    const answer = await server.fetch(
      new Request(`${server.url}${path}`, { method: 'POST', headers: { 'content-type': type }, body }),
    )
    return { status: answer.status, error: ((await answer.json()) as { error?: string }).error }
  }
  const part = (name: string) => `--X\r\ncontent-disposition: form-data; name="${name}"\r\n\r\nx\r\n`

  it.each(['/jobs/resumes', '/jobs/ingest', '/jobs'])(
    'of %s with millions of values is refused',
    async (path) => {
      const values = path === '/jobs' ? 300_000 : 3_000_000
      const tooMany = { status: 400, error: 'The body may hold at most 50,000 values' }

      expect(await send(path, `{"content":"x","a":[${'[],'.repeat(values)}[]]}`)).toEqual(tooMany)
      expect(await send(path, `{"content":"x","a":${'['.repeat(values)}${']'.repeat(values)}}`)).toEqual({
        status: 400,
        error: 'The body is nested deeper than 200 levels',
      })
      expect(await send(path, `{"content":"x","a":[${'1,'.repeat(values)}!`)).toEqual(tooMany)
    },
  )

  it('may hold signs without number in its text', async () => {
    const content = '# Ada\n\n'.concat('[{,"\\'.repeat(100_000))

    expect(await send('/jobs/resumes', JSON.stringify({ content }))).toMatchObject({ status: 201 })
  })

  it('that is cut off in a text full of escapes is refused', async () => {
    const cut = `{"content":"${String.raw`\n`.repeat(13_000_000)}`

    expect(await send('/jobs/resumes', cut)).toEqual({ status: 400, error: 'Invalid JSON' })
  })

  it.each([
    ['parts', part('a').repeat(100_000)],
    [
      'lines in a head',
      `--X\r\ncontent-disposition: form-data; name="file"\r\n${'x: y\r\n'.repeat(1_000_000)}\r\n`,
    ],
  ])('with too many %s is refused', async (_, parts) => {
    expect(await send('/jobs/resumes', `${parts}--X--\r\n`, 'multipart/form-data; boundary=X')).toEqual({
      status: 400,
      error: 'The form may have at most 100 parts with short heads',
    })
  })

  it.each([
    'multipart/form-data; boundary=X',
    'multipart/form-data; boundary="X"',
    'Multipart/Form-Data; charset=utf-8; boundary=X; a=b',
  ])('may name its boundary as in %s', async (type) => {
    const file =
      '--X\r\ncontent-disposition: form-data; name="file"; filename="a.md"\r\n\r\n# Ada\r\n--X--\r\n'

    expect(await send('/jobs/resumes', part('name') + file, type)).toMatchObject({ status: 201 })
  })
})
