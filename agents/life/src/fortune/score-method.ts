import type { Phrase } from '../language.ts'

/** How a score comes about, for the card. The weights are our choice. */
export const SCORE_METHOD: Phrase = {
  zh: '以 50 为中线，看流年（最多 40 分）和大运（最多 30 分）的五行是日主所需还是所余：身弱时印、比劫为所需，身强时食伤、财、官杀为所需，同一边里命局偏少的那一行再略加一点；与命局相合加分，冲、刑、害、破减分（牵动命局一柱计一次，日柱计两次，最多 15 分）；收拢到 0 至 100，再与前后各两年按 1:2:3:2:1 平均。权重是本程序的约定，各家取法不同。',
  en: 'From a middle of 50: do the elements of the year (up to 40) and of the luck cycle (up to 30) bring what the day master lacks, or more of what it has? A weak one lacks resource and its own kind, a strong one output, wealth and officer; of either side, an element that is scarcer in the chart than the others counts a little more. Unions with the chart add; clashes, frictions, harms and breaks take away (once for each pillar of it that they touch, twice for the day’s; up to 15). The sum is drawn together into 0 to 100, and each year averaged with the two on either side, 1:2:3:2:1. The weights are this program’s own; schools differ.',
}

/** What a score is not. */
export const SCORE_MEANING: Phrase = {
  zh: '分数画的是支持多一点还是挑战多一点，不是吉凶好坏，也不预言任何事情；分数低的年份，往往是练功夫的时候。',
  en: 'A score pictures more support or more challenge. It is not good or bad luck and foretells nothing; years with more challenge are often those in which one grows.',
}
