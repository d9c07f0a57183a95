import { cp, mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { EndedRun } from './run-checks.ts'

/** What went wrong, kept for whoever looks into it. */
export interface Evidence {
  /** How many mistakes were found. */
  readonly count: number
  /** One sentence on something that does not hold. */
  note(sentence: string): void
  /** The same of a run, with its log and all that its readers were sent. */
  noteRun(run: EndedRun, mistakes: readonly string[]): void
  /** Writes it, with what is in the home, to a folder of its own, and gives its path: undefined where nothing went wrong. */
  keep(home: string): Promise<string | undefined>
}

export function createEvidence(seed: number, say: (line: string) => void): Evidence {
  const sentences: string[] = []
  const runs = new Map<string, EndedRun>()
  const note = (sentence: string): void => {
    sentences.push(sentence)
    say(`VIOLATION (seed ${seed}): ${sentence}\n`)
  }
  return {
    get count() {
      return sentences.length
    },
    note,
    noteRun(run, mistakes) {
      for (const mistake of mistakes) note(`run ${run.runId}, story ${run.story.name}: ${mistake}`)
      if (mistakes.length > 0) runs.set(run.runId, run)
    },
    async keep(home) {
      if (sentences.length === 0) return undefined
      const folder = await mkdtemp(join(tmpdir(), `dragoman-chaos-${seed}-`))
      await writeFile(join(folder, 'violations.txt'), `${sentences.join('\n')}\n`)
      await mkdir(join(folder, 'runs'))
      for (const [runId, run] of runs) {
        const { entries, ...seen } = run
        const log = entries.map((entry) => JSON.stringify(entry)).join('\n')
        await writeFile(join(folder, 'runs', `${runId}.log.jsonl`), `${log}\n`)
        await writeFile(join(folder, 'runs', `${runId}.seen.json`), JSON.stringify(seen, undefined, 1))
      }
      await cp(home, join(folder, 'home'), { recursive: true })
      return folder
    },
  }
}
