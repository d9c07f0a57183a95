import type { Tailored } from '../../agents/jobs/src/tailoring/tailoring.ts'
import type { Summary } from '../../agents/jobs/src/tailoring/version.ts'
import { announce, joinNames, check, say, short } from '../say.ts'
import type { Server } from '../server.ts'
import type { Pair } from './judging.ts'

const MAX_SHOWN_LINES = 8

/** The claims that the model was told to remove, if the provider shows them. */
type RejectedClaims = () => readonly string[]

/** A model rewrites a resume for a posting, and every claim must trace to the resume. */
export async function tailor(
  server: Server,
  pairs: readonly Pair[],
  rejectedClaims: RejectedClaims = () => [],
): Promise<readonly Tailored[]> {
  announce(
    'Two resumes are tailored, and each claim is checked',
    'POST /jobs/tailor/:jobId. A claim that does not trace to the resume is held against the model once;',
    'what it still claims then is stored with a mark, until you mend it.',
  )
  const all: Tailored[] = []
  for (const [nth, { jobId, resumeId }] of pairs.entries()) {
    const { job } = await server.get<{ job: { title: string; company: string } }>(`/jobs/${jobId}`)
    const version = await server.send<Tailored>('POST', `/jobs/tailor/${jobId}`, { resumeId })
    const { versions } = await server.get<{ versions: readonly Summary[] }>(`/jobs/tailor/${jobId}/versions`)
    if (nth > 0) say()
    say(`#${jobId} ${short(`${job.title} · ${job.company}`, 100)}`)
    const held = rejectedClaims()
    if (held.length > 0)
      say('   the first answer was given back to the model, with what is not in the resume:')
    for (const claim of held) say(`     ! ${short(claim, 100)}`)
    tell(version)
    say(`   versions: ${joinNames(versions.map(describe))}`)
    check(version.isNew && versions.length === 1, `There should be one version for #${jobId}.`)
    all.push(version)
  }
  return all
}

/** The user mends what is marked: a version of their own, checked like any other. */
export async function mend(server: Server, { id, jobId }: Tailored, content: string): Promise<void> {
  const { openMarks } = await server.send<Tailored>('PUT', `/jobs/tailor/${id}`, { content })
  const { versions } = await server.get<{ versions: readonly Summary[] }>(`/jobs/tailor/${jobId}/versions`)
  say(`\nThe claim of the first is mended by hand: PUT /jobs/tailor/${id} {content}`)
  say(`   versions of #${jobId}: ${joinNames(versions.map(describe))}`)
  check(openMarks === 0 && versions.length === 2, 'The mended version should be the second, without a mark.')
}

function tell({ diff, truth, suggestions }: Tailored): void {
  const changed = diff.lines.filter(({ op, text }) => op !== 'same' && text.trim() !== '')
  say(`   ${diff.added} lines added, ${diff.removed} removed, in: ${joinNames(diff.sections)}`)
  for (const { op, text } of changed.slice(0, MAX_SHOWN_LINES)) {
    say(`     ${op === 'added' ? '+' : '-'} ${short(text.replace(/^\s*- /u, ''), 100)}`)
  }
  if (changed.length > MAX_SHOWN_LINES) say(`     … ${changed.length - MAX_SHOWN_LINES} more`)
  say(`   stored, with these claims marked:${truth.marks.length === 0 ? ' none' : ''}`)
  for (const { kind, said, sentence } of truth.marks) {
    say(`     ! ${kind}: “${said}” in “${short(sentence, 80)}”`)
  }
  for (const { kind, said } of truth.warnings) say(`     ? ${kind}: “${said}”`)
  const { used, safe, notTrueForYou } = truth.keywords
  say(`   keywords of the posting, used: ${joinNames(used)}`)
  say(`     safe to add: ${joinNames(safe)}; not true for you: ${joinNames(notTrueForYou)}`)
  const doubtful = suggestions.filter((each) => each.doubtful).map(({ suggested }) => suggested)
  say(`   suggestions: ${suggestions.length}, of which doubtful: ${joinNames(doubtful)}`)
}

function describe({ version, origin, model, openMarks }: Summary): string {
  return `${version} (by ${origin === 'model' ? model : 'you'}, marks open: ${openMarks})`
}
