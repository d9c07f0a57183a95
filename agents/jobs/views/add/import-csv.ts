import type { ConsoleKit } from '@dragoman/console/view'
import Papa from 'papaparse'

import { statuses } from '../statuses.ts'

/** The names of the columns, as spreadsheets have them. */
const COLUMNS: Readonly<Record<string, readonly string[]>> = {
  title: ['title', 'position', 'role', 'job title', '职位', '岗位'],
  company: ['company', 'employer', '公司'],
  url: ['url', 'link', 'address', '链接', '网址'],
  location: ['location', 'place', 'city', '地点', '城市'],
  salary: ['salary', 'pay', '薪资', '薪酬'],
  description: ['description', 'jd', '描述', '职位描述'],
  status: ['status', 'stage', '状态', '阶段'],
  notes: ['notes', 'note', 'comment', '备注'],
  followUpAt: ['followupat', 'follow-up', 'follow up', '跟进'],
}

/** The fields of `POST /jobs`; the others need a second request. */
const NEW_FIELDS = ['title', 'company', 'url', 'location', 'salary', 'description']

type Row = Readonly<Record<string, string>>
export type ImportResult = {
  readonly added: number
  /** Postings whose address was there. */
  readonly existing: number
  readonly errors: readonly { readonly line: number; readonly message: string }[]
}

/** Reads a table of postings. The first line names the columns. */
export function readCsv(text: string): readonly Row[] {
  const { data } = Papa.parse<Row>(text.replace(/^\uFEFF/, ''), {
    header: true,
    skipEmptyLines: 'greedy',
    transformHeader: fieldOf,
  })
  return data
}

function fieldOf(header: string): string {
  const name = header.trim().toLowerCase()
  const [field] = Object.entries(COLUMNS).find(([, names]) => names.includes(name)) ?? []
  return field ?? `other ${name}`
}

/** Adds the rows one after the other. A row that the server refuses is reported with its line. */
export async function importRows(
  kit: ConsoleKit,
  rows: readonly Row[],
  tell: (done: number) => void,
): Promise<ImportResult> {
  let [added, existing] = [0, 0]
  const errors: { line: number; message: string }[] = []
  for (const [index, row] of rows.entries()) {
    try {
      const isNew = await importRow(kit, row)
      if (isNew) added += 1
      else existing += 1
    } catch (error) {
      // The first line has the names.
      errors.push({ line: index + 2, message: error instanceof Error ? error.message : String(error) })
    }
    tell(index + 1)
  }
  await kit.refresh('/jobs')
  return { added, existing, errors }
}

async function importRow(kit: ConsoleKit, row: Row): Promise<boolean> {
  const posting = Object.fromEntries(
    NEW_FIELDS.flatMap((field) => (row[field]?.trim() ? [[field, row[field]]] : [])),
  )
  const { job, created } = await kit.request<{ job: { id: number }; created: boolean }>('/jobs', {
    body: posting,
  })
  const { status = '', notes = '', followUpAt = '' } = row
  const stage = statuses.find((each) => each === status.trim().toLowerCase())
  const change = {
    ...(stage && stage !== 'inbox' && { status: stage }),
    ...(notes.trim() !== '' && { notes }),
    ...(followUpAt.trim() !== '' && { followUpAt: followUpAt.trim() }),
  }
  if (created && Object.keys(change).length > 0)
    await kit.request(`/jobs/${job.id}`, { method: 'PATCH', body: change })
  return created
}
