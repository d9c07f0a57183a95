import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { documents } from '../../agents/jobs/src/documents/documents.ts'
import { announce, joinNames, check, say } from '../say.ts'
import type { Server } from '../server.ts'

/** The ids of the two resumes. */
export type Resumes = { readonly en: number; readonly zh: number }

type Resume = {
  readonly id: number
  readonly name: string
  readonly language: string
  readonly parseStatus: string
  readonly source: string
}
type Data = Readonly<Record<string, unknown>> & {
  readonly basics?: { readonly name?: string; readonly label?: string; readonly email?: string }
}

const RESUMES = join(import.meta.dirname, '../../agents/jobs/demo')

/** Both resumes go in: the English one as a file of Word, the Chinese one as Markdown. */
export async function putResumesIn(server: Server): Promise<Resumes> {
  announce(
    'Two resumes go in',
    'An English one as a DOCX file, a Chinese one as Markdown: POST /jobs/resumes.',
  )
  const { bytes } = await documents().docx('demo', await markdownOf('en/mara-lindqvist'), {
    template: 'classic',
  })
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(bytes)]), 'Mara Lindqvist.docx')
  const english = await server.send<{ resume: Resume }>('POST', '/jobs/resumes', form)
  const chinese = await server.send<{ resume: Resume }>('POST', '/jobs/resumes', {
    name: '林岚',
    content: await markdownOf('zh/lin-lan'),
  })
  for (const { resume } of [english, chinese]) await tell(server, resume)
  return { en: english.resume.id, zh: chinese.resume.id }
}

function markdownOf(name: string): Promise<string> {
  return readFile(join(RESUMES, `${name}.md`), 'utf8')
}

async function tell({ get }: Server, resume: Resume): Promise<void> {
  const { basics, ...sections } = await get<Data>(`/jobs/resumes/${resume.id}/json`)
  const counts = Object.entries(sections).flatMap(([section, all]) =>
    Array.isArray(all) && all.length > 0 ? [`${section} ${all.length}`] : [],
  )
  const { id, name, source, language, parseStatus } = resume
  say(`#${id} ${name}  (${source})`)
  say(`   language ${language}, parse status ${parseStatus}`)
  say(`   read: ${basics?.name}, ${basics?.email}; ${joinNames(counts)}`)
  check(parseStatus === 'success', `The resume ${name} should have been read whole.`)
  check(basics?.name === name, `The name on the resume should be ${name}, not ${basics?.name}.`)
}
