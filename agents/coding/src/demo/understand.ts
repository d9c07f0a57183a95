import { readCreation, readReplacement } from './changes.ts'
import { readCommand } from './commands.ts'
import type { Deed } from './deed.ts'
import { readGlob, readSearch } from './finds.ts'
import { readComparison, readExplanation, readListing, readProject, readReading } from './looks.ts'
import { textBelow, wishes } from './wishes.ts'

const politeness =
  /^(?:(?:please|now|then|also|can you|could you|would you|i want (?:you )?to|let's)\s+|(?:请|麻烦|帮我|帮忙|你|能不能|能否|可以|给我|现在|先)\s*)+/i

/** “Can you …?” asks for it; “… ?” only asks. */
const politeQuestion = /^(?:can|could|would|能|可以|你能|你可以)/i

/** One that asks most narrowly goes before one that takes what is left. */
const readers: readonly ((words: string, below: string | undefined) => Deed | undefined)[] = [
  readCommand,
  readCreation,
  readReplacement,
  readComparison,
  readProject,
  readListing,
  readExplanation,
  readGlob,
  readReading,
  readSearch,
]

/** Nobody asks for something in a longer line, and to cut one might change what it says. */
const LONGEST_LINE = 1000
/** Nor with so many spaces in a row: there are many ways to part them among the words of a rule, and each would be tried. */
const GAP = /\s{20}/

/** What a request wants done, in its order. Where a part of it is not understood, what comes behind that part is left alone. */
export function understand(request: string): Deed[] {
  const [line = ''] = request.trimStart().split('\n', 1)
  if (line.length > LONGEST_LINE || GAP.test(line)) return []
  const below = textBelow(request)
  const deeds: Deed[] = []
  for (const wish of wishes(request)) {
    const asked = wish.replace(politeness, '')
    const words = politeQuestion.test(wish) ? asked.replace(/\s*吗?[?？]$/, '') : asked
    const deed = firstOf(words, below)
    if (!deed) break
    deeds.push(deed)
  }
  return deeds
}

function firstOf(words: string, below: string | undefined): Deed | undefined {
  for (const read of readers) {
    const deed = read(words, below)
    if (deed) return deed
  }
  return undefined
}
