import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { openProvider, withoutClaims, type Provider } from './model/provider.ts'
import { announce, check, say } from './say.ts'
import { askAssistant } from './scenes/assistant.ts'
import { askStreaming, askWhole } from './scenes/chat.ts'
import { mendProject } from './scenes/coding.ts'
import { count } from './scenes/figures.ts'
import { writeFiles } from './scenes/files.ts'
import { judge } from './scenes/judging.ts'
import { talkOfLife } from './scenes/life.ts'
import { readPages } from './scenes/pages.ts'
import { putResumesIn, type Resumes } from './scenes/resumes.ts'
import { mend, tailor } from './scenes/tailoring.ts'
import { withServer, type Server } from './server.ts'

/**
 * Shows the jobs agent from pages to files, the coding agent, the assistant in a page, and the life agent, over HTTP,
 * in a temporary home. Without a configured model, a provider on this machine gives recorded answers. Exits with 1 if
 * a check fails.
 */

type Status = { readonly model: string; readonly reason: string }

/** Postings of agents/jobs/test/postings, in the order in which they go in. */
const NORTHWIND = 1
const BEILING = 8
const QINGHE = 9
const TIDEWRACK = 12

const home = await mkdtemp(join(tmpdir(), 'dragoman-demo-'))
try {
  const { resumes, isOffline } = await withServer(home, {}, begin)
  if (isOffline) await withRecordedModel(resumes)
  else await withServer(home, {}, (server) => useModel(server, resumes))
  // No reader watches an answer that is given whole: the built-in model need not type it.
  await withServer(home, { flags: ['--offline-pace', '0'] }, (server) => end(server, resumes))
  const project = await mkdtemp(join(home, 'project-'))
  const onProject = ['--offline-pace', '0', '--model', 'offline', '--root', project]
  await withServer(home, { flags: onProject }, (server) => mendProject(server, project))
  const offline = ['--offline-pace', '0', '--model', 'offline']
  await withServer(home, { flags: offline }, askAssistant)
  await withServer(home, { flags: offline }, talkOfLife)
  say('All was as it must be.')
} finally {
  await rm(home, { recursive: true })
}

async function begin(server: Server): Promise<{ readonly resumes: Resumes; readonly isOffline: boolean }> {
  const { model, reason } = await server.get<Status>('/jobs/agent/status')
  say(`A dragoman of its own at ${server.url}, with its home in ${home}.`)
  say(`The model is ${model}. ${reason}`)
  await readPages(server)
  await askStreaming(server)
  const resumes = await putResumesIn(server)
  return { resumes, isOffline: model === 'offline' }
}

async function withRecordedModel(resumes: Resumes): Promise<void> {
  await using provider = await openProvider()
  await withServer(home, provider, async (server) => {
    const { model } = await server.get<Status>('/jobs/agent/status')
    announce(
      'A model for what follows',
      'Judging and tailoring need a model, and none is configured. So dragoman is opened again on the same home, with',
      `a provider on this machine, ${provider.env['OPENAI_BASE_URL']},`,
      'called through the package for OpenAI-compatible servers.',
      `${model} is not a model: its answers are recorded, with invented claims in them. The checks are real.`,
    )
    const { analyses, versions } = await useModel(server, resumes, provider.rejectedClaims)
    const [first] = versions
    if (first) await mend(server, first, withoutClaims(first.content))
    check(
      analyses.map(({ unverified }) => unverified).join() === '0,0,1',
      'One quote should have been dropped.',
    )
    check(versions.map(({ openMarks }) => openMarks).join() === '1,1', 'One claim of each should be marked.')
    check(
      provider.requestCount() === 7,
      `The provider should have been asked 7 times, not ${provider.requestCount()}.`,
    )
  })
}

async function useModel(server: Server, { en, zh }: Resumes, rejectedClaims?: Provider['rejectedClaims']) {
  const analyses = await judge(server, [
    { jobId: NORTHWIND, resumeId: en },
    { jobId: BEILING, resumeId: zh },
    { jobId: TIDEWRACK, resumeId: en },
  ])
  const pairs = [
    { jobId: NORTHWIND, resumeId: en },
    { jobId: QINGHE, resumeId: zh },
  ]
  return { analyses, versions: await tailor(server, pairs, rejectedClaims) }
}

async function end(server: Server, { zh }: Resumes): Promise<void> {
  await count(server, NORTHWIND, QINGHE)
  await writeFiles(server, NORTHWIND, QINGHE)
  await askWhole(server, { jobId: QINGHE, resumeId: zh })
}
