import { cp, mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { EndedRun } from './run-checks.ts'

/** Collects violations for an investigation. */
export interface Evidence {
  /** The number of violations. */
  readonly count: number
  /** Records a violation in one sentence. */
  note(sentence: string): void
  /** Records violations of a run, with its log and everything that its readers got. */
  noteRun(run: EndedRun, mistakes: readonly string[]): void
  /** Writes the evidence and a copy of the home to a new folder. Returns its path, or undefined without violations. */
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
