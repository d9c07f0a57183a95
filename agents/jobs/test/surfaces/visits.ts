import { readFileSync } from 'node:fs'

import { expect } from 'vitest'

import type { Json } from '../../../../packages/dragoman/src/index.ts'
import { HONEST, postingNumber, RESUME } from '../support/seeker.ts'

const PAGE = `<script type="application/ld+json">${JSON.stringify({
  '@type': 'JobPosting',
  title: 'Data Engineer',
  hiringOrganization: { name: 'Tidewater' },
  description: 'You know SQL. '.repeat(20),
})}</script>`

/** A request, and a part of its answer; null if the answer is not JSON. */
export type Visit = readonly [method: string, path: string, status: number, answer: Json, body?: Json]

/** What the placeholders of `visits.json` stand for. */
const values: Readonly<Record<string, unknown>> = {
  '<number>': expect.any(Number),
  '<text>': expect.any(String),
  '<list>': expect.any(Array),
  '<page>': PAGE,
  '<resume>': RESUME,
  '<trimmed resume>': RESUME.trim(),
  '<honest resume>': HONEST,
  '<trimmed honest resume>': HONEST.trim(),
  '<posting 1>': postingNumber(1),
  '<posting 2>': postingNumber(2),
}

/** The requests of a user who uses all routes of the jobs, by area. */
export const visits = JSON.parse(
  readFileSync(new URL('visits.json', import.meta.url), 'utf8'),
  (_key, value: unknown) => (typeof value === 'string' && value in values ? values[value] : value),
) as Readonly<Record<string, readonly Visit[]>>
