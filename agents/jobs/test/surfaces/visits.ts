import { expect } from 'vitest'

import type { Json } from '../../../../packages/dragoman/src/index.ts'
import { HONEST, postingNumber, RESUME } from '../support/seeker.ts'

const PAGE = `<script type="application/ld+json">${JSON.stringify({
  '@type': 'JobPosting',
  title: 'Data Engineer',
  hiringOrganization: { name: 'Tidewater' },
  description: 'You know SQL. '.repeat(20),
})}</script>`
/** One request of somebody who uses all of the jobs' routes, and what its answer holds; null where it is no JSON. */
export type Visit = readonly [method: string, path: string, status: number, holds: Json, body?: Json]

const id = expect.any(Number) as number
const text = expect.any(String) as string
const judged = { jobId: 1, resumeId: 1, overallScore: 82, strengths: ['Go in payments'], gaps: ['No Rust'] }
const version = { jobId: 1, resumeId: 1, isLatest: true }

export const postings: readonly Visit[] = [
  [
    'POST',
    '/jobs',
    201,
    { created: true, job: { id: 1, source: 'manual', starred: false, status: 'inbox' } },
    postingNumber(1),
  ],
  ['POST', '/jobs', 200, { created: false, job: { id: 1 } }, postingNumber(1)],
  ['POST', '/jobs', 201, { created: true, job: { id: 2 } }, postingNumber(2)],
  [
    'POST',
    '/jobs/ingest',
    200,
    { status: 'ok', created: true, job: { id: 3, title: 'Data Engineer', company: 'Tidewater' } },
    { url: 'https://tidewater.example/jobs/3', content: PAGE, timestamp: '2026-11-20T10:00:00Z' },
  ],
  [
    'GET',
    '/jobs?status=inbox&limit=2&search=engineer&starred=false&offset=0',
    200,
    { total: 3, jobs: [{ id }, { id }] },
  ],
  ['GET', '/jobs/stats', 200, { inbox: 3, applied: 0, interviewing: 0, offer: 0, rejected: 0, skipped: 0 }],
  [
    'PATCH',
    '/jobs/1',
    200,
    { job: { id: 1, status: 'interviewing', subStatus: 'screening', tags: ['dream'] } },
    { subStatus: 'screening', tags: ['dream'], contacts: [{ name: 'Mina' }] },
  ],
  [
    'PUT',
    '/jobs/1',
    200,
    { job: { id: 1, status: 'offer', notes: 'Soon.' } },
    { status: 'offer', notes: 'Soon.' },
  ],
  ['POST', '/jobs/1/star', 200, { job: { id: 1, starred: true } }, { starred: true }],
  ['POST', '/jobs/1/touches', 201, { touch: { id, kind: 'call', note: '' } }, { kind: 'call' }],
  ['POST', '/jobs/1/enrich', 200, { processed: 1, enriched: 0 }],
  [
    'GET',
    '/jobs/export',
    200,
    {
      jobs: [{ id: 1, history: [{ from: null, to: 'inbox' }, {}, {}], touches: [{ kind: 'call' }] }, {}, {}],
    },
  ],
  ['GET', '/jobs/export?format=csv', 200, null],
]

export const resumes: readonly Visit[] = [
  [
    'POST',
    '/jobs/resumes',
    201,
    { resume: { id: 1, name: 'Ada', isDefault: true, source: 'paste', parseStatus: text } },
    { name: 'Ada', content: RESUME, format: 'markdown', filename: 'ada.md' },
  ],
  [
    'POST',
    '/jobs/resumes',
    201,
    { resume: { id: 2, isDefault: false } },
    { name: 'Other', content: '# Ada Park\n\n## Skills\n- COBOL' },
  ],
  ['GET', '/jobs/resumes?limit=1', 200, { resumes: [{ id: 2 }], nextCursor: text }],
  ['GET', '/jobs/resumes/1', 200, { resume: { id: 1, content: RESUME.trim() } }],
  ['GET', '/jobs/resumes/1/status', 200, { parse_status: text, errors: [] }],
  ['GET', '/jobs/resumes/1/json', 200, { basics: { name: 'Ada Park' } }],
  [
    'PUT',
    '/jobs/resumes/2',
    200,
    { resume: { id: 2, version: 2 } },
    { content: '# Ada Park\n\n## Skills\n- Ada' },
  ],
  ['PATCH', '/jobs/resumes/2', 200, { resume: { id: 2, name: 'Second', version: 2 } }, { name: 'Second' }],
  ['GET', '/jobs/resumes/2/versions', 200, { versions: [{ version: 2 }, { version: 1 }] }],
  [
    'GET',
    '/jobs/resumes/2/versions/1',
    200,
    { version: { version: 1, content: '# Ada Park\n\n## Skills\n- COBOL' } },
  ],
  ['POST', '/jobs/resumes/2/versions/1/restore', 200, { resume: { id: 2, version: 3 } }],
  ['POST', '/jobs/resumes/2/set-default', 200, { resume: { id: 2, isDefault: true } }],
  ['POST', '/jobs/resumes/1/set-default', 200, { resume: { id: 1, isDefault: true } }],
  ['GET', '/jobs/resumes/1/pdf?template=modern', 200, null],
  ['GET', '/jobs/resumes/1/docx', 200, null],
]

export const judging: readonly Visit[] = [
  [
    'GET',
    '/jobs/1/prescore',
    200,
    {
      jobId: 1,
      resumeId: 1,
      score: id,
      keywords: ['Backend Development', 'Go', 'PostgreSQL'],
      missing: ['Rust'],
    },
  ],
  ['GET', '/jobs/1/analysis', 200, { analysis: null }],
  ['POST', '/jobs/1/analyze', 200, { analysis: { ...judged, id, cached: false } }, { resumeId: 1 }],
  ['POST', '/jobs/1/analyze', 200, { analysis: { ...judged, id, cached: true } }],
  ['GET', '/jobs/1/analysis?resumeId=1', 200, { analysis: { ...judged, id } }],
  ['GET', '/jobs/1?resumeId=1', 200, { job: { id: 1, matchScore: 82 }, analysis: { ...judged, id } }],
  ['GET', '/jobs/1?resumeId=2', 200, { job: { id: 1 }, analysis: null }],
]

export const tailored: readonly Visit[] = [
  [
    'POST',
    '/jobs/tailor/1',
    201,
    { ...version, id: 1, version: 1, isNew: true, content: HONEST.trim() },
    { resumeId: 1 },
  ],
  ['POST', '/jobs/tailor/1', 200, { ...version, id: 1, version: 1, isNew: false }],
  ['POST', '/jobs/tailor/1', 201, { ...version, id: 2, version: 2, isNew: true }, { forceNew: true }],
  [
    'GET',
    '/jobs/tailor/1/versions?resumeId=1',
    200,
    {
      versions: [
        { ...version, id: 2, version: 2, createdAt: text },
        { id: 1, isLatest: false },
      ],
    },
  ],
  [
    'GET',
    '/jobs/tailor/1/versions/2',
    200,
    {
      version: {
        ...version,
        id: 2,
        openMarks: 1,
        truth: { marks: [{ kind: 'fabricated_skill', said: 'Rust' }] },
      },
    },
  ],
  ['GET', '/jobs/tailor/2/diff?against=1', 200, { added: id, lines: expect.any(Array) as Json }],
  [
    'PUT',
    '/jobs/tailor/2',
    201,
    { ...version, id: 3, version: 3, openMarks: 0, isNew: true },
    { content: HONEST },
  ],
  ['POST', '/jobs/tailor/2/restore', 201, { ...version, id: 4, version: 4, isNew: true }],
  ['GET', '/jobs/tailor/1/pdf', 200, null],
  ['GET', '/jobs/tailor/1/docx?version=1', 200, null],
  [
    'PATCH',
    '/jobs/1',
    200,
    { job: { resumeId: 1, tailoredId: 1, status: 'applied' } },
    { resumeId: 1, tailoredId: 1, status: 'applied' },
  ],
]

export const figures: readonly Visit[] = [
  [
    'GET',
    '/jobs/analytics/funnel?period=week',
    200,
    {
      inbox: 3,
      applied: 1,
      interview: 1,
      offer: 1,
      conversionRates: { applyRate: 0.333, interviewRate: 1, offerRate: 1 },
    },
  ],
  [
    'GET',
    '/jobs/analytics/skills?limit=3',
    200,
    {
      top: [{ skill: text, matchCount: id }, {}, {}],
      gaps: [{ skill: 'Rust', mentionCount: 2, inResume: false }, {}, {}],
    },
  ],
  ['GET', '/jobs/analytics/responses', 200, {}],
  ['GET', '/jobs/analytics/nudges', 200, {}],
]

export const conversations: readonly Visit[] = [
  [
    'GET',
    '/jobs/chat/history?conversationId=chat-1',
    200,
    { conversation: { id: text }, messages: [{ role: 'user' }, { role: 'assistant', content: 'Hello.' }] },
  ],
  ['GET', '/jobs/chat/history?conversationId=nobody', 200, { conversation: null, messages: [] }],
  ['GET', '/jobs/chat/conversations?limit=50', 200, { conversations: [{ id: text }, { id: text }] }],
  ['GET', '/jobs/chat/chat-1/stream', 204, null],
  ['GET', '/jobs/chat?chatId=chat-1', 200, null],
  ['GET', '/jobs/chat/stream?chatId=chat-1', 200, null],
  ['POST', '/jobs/chat/stop', 200, { stopped: false }, { messageId: 'msg_unknown' }],
  [
    'GET',
    '/jobs/agent/status',
    200,
    { status: 'ready', agent: 'jobs', model: text, tools: expect.any(Array) as Json },
  ],
  ['GET', '/jobs/status', 200, { status: 'ready', agent: 'jobs' }],
]

export const removals: readonly Visit[] = [
  ['DELETE', '/jobs/sources/1', 200, { success: true }],
  ['DELETE', '/jobs/tailor/4', 200, { success: true }],
  ['DELETE', '/jobs/resumes/2', 200, { success: true }],
  ['DELETE', '/jobs/2', 200, { success: true }],
]
