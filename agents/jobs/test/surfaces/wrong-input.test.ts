import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { says, scriptedModel, step } from '../../../../test/support/scripted-model.ts'
import { HONEST, postingNumber, RESUME, rewritten } from '../support/seeker.ts'
import { openServer, type TestServer } from '../../../../test/support/server.ts'
import { ask, rows } from '../../../../test/support/wire.ts'
import { jobs } from '../../src/index.ts'

const long = (length: number): string => 'x'.repeat(length)
const posting = (more: object): string => JSON.stringify({ ...postingNumber(9), ...more })
const id = (field: string): string => `${field} must be a positive whole number`
const whole = (field: string, least: number, most: number): string =>
  `${field} must be a whole number, from ${least} to ${most}`
const limit = whole('limit', 1, 100)
const statuses = 'inbox, applied, interviewing, offer, rejected, skipped'
const time = 'must be an ISO time, as 2026-12-01 or 2026-12-01T09:00:00Z'
const chat = (more: string): string => `POST /jobs/chat {"messages":[{"role":"user","content":"x"}],${more}}`

/** Request by request, the sentence that it is refused with: status 400. */
const refused: Readonly<Record<string, string>> = {
  'POST /jobs': 'Invalid JSON: the body is empty',
  'POST /jobs {': 'Invalid JSON: it ends too early',
  'POST /jobs null': 'The body must be a JSON object',
  'POST /jobs []': 'The body must be a JSON object',
  'POST /jobs {}': 'title is required',
  'POST /jobs {"title":"  "}': 'title is required',
  'POST /jobs {"title":"a"}': 'company is required',
  'POST /jobs {"title":"a","company":"b"}': 'url is required',
  [`POST /jobs ${posting({ title: 5 })}`]: 'title must be a text',
  [`POST /jobs ${posting({ title: long(501) })}`]: 'title may have at most 500 characters',
  [`POST /jobs ${posting({ url: 'nowhere' })}`]: 'url must be an http or https address',
  [`POST /jobs ${posting({ url: `https://a.example/${long(2000)}` })}`]:
    'url may have at most 2,000 characters',
  [`POST /jobs ${posting({ location: 5 })}`]: 'location must be a text',
  [`POST /jobs ${posting({ description: long(200_001) })}`]:
    'description may have at most 200,000 characters',
  'POST /jobs/ingest': 'Invalid JSON',
  'POST /jobs/ingest {': 'Invalid JSON',
  'POST /jobs/ingest {}': 'Missing url',
  'POST /jobs/ingest {"url":"https://a.example"}': 'Missing content',
  'POST /jobs/ingest {"url":5,"content":"x"}': 'url must be a text',
  'GET /jobs/-1': 'Invalid job id',
  'GET /jobs/one': 'Invalid job id',
  'GET /jobs/1.5': 'Invalid job id',
  'PATCH /jobs/one {}': 'Invalid job id',
  'PUT /jobs/-1 {}': 'Invalid job id',
  'DELETE /jobs/one': 'Invalid job id',
  'POST /jobs/one/star {}': 'Invalid job id',
  'POST /jobs/one/analyze': 'Invalid job id',
  'POST /jobs/one/enrich': 'Invalid job id',
  'GET /jobs/one/analysis': 'Invalid job id',
  'GET /jobs/one/prescore': 'Invalid job id',
  'GET /jobs/1?resumeId=one': id('resumeId'),
  'GET /jobs/1?resumeId=-1': id('resumeId'),
  'GET /jobs?status=hired': `status must be one of: ${statuses}, all`,
  'GET /jobs?limit=0': limit,
  'GET /jobs?limit=101': limit,
  'GET /jobs?limit=ten': limit,
  'GET /jobs?limit=1e1': limit,
  'GET /jobs?offset=-1': 'offset must be a whole number, 0 or more',
  'GET /jobs?starred=maybe': 'starred must be true or false',
  'GET /jobs?cursor=junk': 'cursor must be that of the page before',
  'GET /jobs?sort=worst': 'sort must be one of: newest, score',
  'GET /jobs/export?format=xml': 'format must be one of: json, csv',
  'PATCH /jobs/1': 'Invalid JSON: the body is empty',
  'PATCH /jobs/1 "x"': 'The body must be a JSON object',
  'PATCH /jobs/1 {"title":null}': 'title is required',
  'PATCH /jobs/1 {"status":"hired"}': `status must be one of: ${statuses}`,
  'PUT /jobs/1 {"status":1}': `status must be one of: ${statuses}`,
  'PATCH /jobs/1 {"tags":"x"}': 'tags must be a list of texts, or null',
  'PATCH /jobs/1 {"contacts":[{}]}': 'contacts.name is required',
  'PATCH /jobs/1 {"followUpAt":"soon"}': `followUpAt ${time}`,
  'PATCH /jobs/1 {"resumeId":"1"}': 'resumeId must be the id of one of yours, or null',
  'PATCH /jobs/1 {"tailoredId":-1}': 'tailoredId must be an id',
  'POST /jobs/1/star {}': 'starred must be true or false',
  'POST /jobs/1/touches {"kind":"fax"}':
    'kind must be one of: applied, email, call, interview, follow-up, note',
  'POST /jobs/1/touches {"kind":"call","at":"soon"}': `at ${time}`,
  'POST /jobs/1/analyze {': 'Invalid JSON',
  'POST /jobs/1/analyze []': 'The body must be a JSON object',
  'POST /jobs/1/analyze {"resumeId":"1"}': id('resumeId'),
  'POST /jobs/1/analyze {"resumeId":0}': id('resumeId'),
  'POST /jobs/1/analyze {"forceRefresh":"yes"}': 'forceRefresh must be true or false',
  'POST /jobs/1/analyze {"language":"fr"}': 'language must be one of: zh, en',
  'POST /jobs/analyze {"limit":51}': whole('limit', 1, 50),
  'POST /jobs/analyze {"limit":"5"}': whole('limit', 1, 50),
  'GET /jobs/1/prescore?resumeId=one': id('resumeId'),
  'POST /jobs/enrich {"limit":0}': whole('limit', 1, 50),
  'POST /jobs/enrich {"jobId":"1"}': id('jobId'),
  'POST /jobs/resumes {x': 'Invalid JSON at line 1, column 2',
  'POST /jobs/resumes {}': 'content is required',
  'POST /jobs/resumes {"content":5}': 'content must be a text',
  'POST /jobs/resumes {"content":"x","format":"rtf"}':
    'format must be one of: markdown, text, json, pdf, docx',
  'POST /jobs/resumes {"content":"#!","format":"pdf"}': 'content is not valid base64',
  [`POST /jobs/resumes {"content":"x","name":"${long(201)}"}`]: 'name may have at most 200 characters',
  'PUT /jobs/resumes/1 {}': 'There is nothing to change: give name, content or isDefault',
  'PATCH /jobs/resumes/1 {"version":0}': 'version must be a whole number, 1 or more',
  'GET /jobs/resumes/one': 'Invalid resume id',
  'POST /jobs/resumes/one/set-default': 'Invalid resume id',
  'GET /jobs/resumes/1/versions/one': 'Invalid version',
  'GET /jobs/resumes?cursor=junk': 'cursor must be that of the page before',
  'GET /jobs/resumes/1/pdf?template=loud': 'template must be one of: classic, modern, compact',
  'POST /jobs/tailor/one': 'Invalid job id',
  'POST /jobs/tailor/1 {': 'Invalid JSON',
  'POST /jobs/tailor/1 {"resumeId":-1}': id('resumeId'),
  'POST /jobs/tailor/1 {"forceNew":1}': 'forceNew must be true or false',
  'PUT /jobs/tailor/one {"content":"x"}': 'Invalid version id',
  'PUT /jobs/tailor/1 {}': 'content is required',
  'GET /jobs/tailor/1/versions?resumeId=one': id('resumeId'),
  'GET /jobs/tailor/1/diff?against=one': 'against must be base or the id of a version',
  'GET /jobs/tailor/1/pdf?version=0': id('version'),
  'POST /jobs/tailor/1/pdf {}': 'file is required, in a body of multipart/form-data',
  'GET /jobs/analytics/funnel?period=day': 'period must be one of: week, 7d, month, 30d, all',
  'GET /jobs/analytics/skills?limit=0': limit,
  'GET /jobs/analytics/nudges?days=0': whole('days', 1, 365),
  'GET /jobs/analytics/nudges?cursor=junk': 'cursor must be that of the page before',
  'POST /jobs/sources {}': 'board is required',
  'POST /jobs/sources {"kind":"mail"}': 'host is required',
  'PATCH /jobs/sources/one {}': 'Invalid source id',
  'GET /jobs/sync?source=one': 'Invalid source id',
  'POST /jobs/chat {"messages":[]}': 'messages is required',
  [chat('"context":{"jobId":"1"}')]: 'context.jobId must be a positive whole number.',
  [chat('"context":{"resumeId":-1}')]: 'context.resumeId must be a positive whole number.',
  [chat('"context":{"detectedJob":{"title":1}}')]: 'context.detectedJob.title must be a text.',
  [chat('"context":{"activeFilters":{"remote":1}}')]: 'context.activeFilters.remote must be true or false.',
  'POST /jobs/chat/stop {}': 'messageId is required',
  'GET /jobs/chat/history': 'conversationId is required',
}

describe('what is wrong is refused with the field that is wrong, and changes nothing', () => {
  let server: TestServer
  const requestOf = (line: string, headers = {}) => {
    const [method = '', path = '', ...words] = line.split(' ')
    return ask(server.url, { method, path, headers, ...(words.length > 0 && { body: words.join(' ') }) })
  }
  beforeAll(async () => {
    const { models } = scriptedModel([step(says(JSON.stringify(rewritten(HONEST))))])
    server = await openServer({ models, agents: [jobs], isOnDisk: true })
    await requestOf(`POST /jobs ${JSON.stringify(postingNumber(1))}`)
    await requestOf(`POST /jobs/resumes ${JSON.stringify({ content: RESUME })}`)
    expect(await requestOf('POST /jobs/tailor/1')).toMatchObject({ status: 201 })
  })
  afterAll(() => server[Symbol.asyncDispose]())

  it.each(Object.entries(refused).map(([line, error]) => ({ line, error, told: line.slice(0, 80) })))(
    '$told',
    async ({ line, error }) => {
      const before = rows(server.home)

      const response = await requestOf(line)

      expect(response).toMatchObject({ status: 400, json: { error, code: 'invalid-request' } })
      expect(rows(server.home)).toEqual(before)
    },
  )

  it.each(['stats', 'sync', 'status', 'resumes', 'sources', 'export'])(
    '/jobs/%s is no posting',
    async (name) => {
      expect(await requestOf(`GET /jobs/${name}`)).toMatchObject({ status: 200 })
    },
  )

  it.each(['tailor', 'analytics', 'agent', 'ingest', 'analyze', 'enrich', 'chats', 'stat', '1x'])(
    '/jobs/%s is nothing that can be read',
    async (name) => {
      expect(await requestOf(`GET /jobs/${name}`)).toMatchObject({
        status: 400,
        json: { error: 'Invalid job id' },
      })
    },
  )

  it('what is not asked for in a query is passed over', async () => {
    expect(await requestOf('GET /jobs?nonsense=1&tag=&utm_source=x')).toMatchObject({
      status: 200,
      json: { total: 1 },
    })
  })

  it.each([
    [
      'POST /jobs/resumes x',
      'multipart/form-data; boundary=b',
      'The body is not a valid multipart/form-data',
    ],
    ['POST /jobs/resumes --b--\r\n', 'multipart/form-data; boundary=b', 'file is required'],
    ['POST /jobs/resumes name=Ada', 'application/x-www-form-urlencoded', 'Invalid JSON at line 1, column 1'],
    ['POST /jobs/tailor/1/pdf --b--\r\n', 'multipart/form-data; boundary=b', 'file is required'],
    [
      'POST /jobs/tailor/1/pdf %PDF-',
      'application/pdf',
      'file is required, in a body of multipart/form-data',
    ],
  ])('%j as %s', async (line, type, error) => {
    expect(await requestOf(line, { 'content-type': type })).toMatchObject({ status: 400, json: { error } })
  })

  it('what is too large is 413, and says how much may come', async () => {
    const large = (size: number): string => JSON.stringify({ url: 'https://a.example', content: long(size) })

    for (const [line, error] of [
      [`POST /jobs/ingest ${large(20 * 1024 * 1024)}`, 'A page may have at most 20 MB'],
      [`POST /jobs ${large(1024 * 1024)}`, 'A posting may have at most 1 MB'],
      [`POST /jobs/resumes ${large(5 * 1024 * 1024 + 1)}`, 'The text of a resume may have at most 5 MB'],
      [
        `PUT /jobs/tailor/1 ${large(100_001)}`,
        'content has more than 100,000 characters: too many to be tailored',
      ],
    ] as const) {
      const { status, json } = await requestOf(line)
      expect({ status, error: json['error'], code: json['code'] }).toEqual({
        status: 413,
        error,
        code: 'too-large',
      })
    }
  })
})
