/** Pay below this is no year's pay, and the number means something else ("4k video"). */
const LEAST = 10_000

const english =
  /(?:\b(?:paying|pays?|salary|earning|making|over|above|at least|more than|minimum|min|of|from|with|an?|is)\s+)*(?:[$€£¥]\s*(?<sum>\d[\d,]*(?:\.\d+)?)\s*(?<unit>k\b)?|(?<plain>\d[\d,]*(?:\.\d+)?)\s*(?<k>k\b)|\b(?:over|above|at least|more than|paying|salary|minimum)\s+(?<bare>\d[\d,]{4,}))\s*(?:\+|or (?:more|above))?(?:\s*(?:(?:a|per) year|\/\s?(?:yr|year)))?/i

const chinese =
  /(?<what>年薪|月薪|薪资|薪水|工资|底薪)?\s*(?:不低于|至少|高于|超过|大于|在)?\s*(?<sum>\d+(?:\.\d+)?)\s*(?<unit>万|k|千)?\s*[元块]?(?:每月|\/月)?\s*(?<above>以上|起)?/i

const factors: Readonly<Record<string, number>> = { 万: 10_000, 千: 1000, k: 1000 }

/** Finds the least pay that is asked for, by the year, and gives the text without it. */
export function takeSalary(text: string): { minSalary: number | undefined; rest: string } {
  const read = readChinese(text) ?? readEnglish(text)
  if (!read || read.sum < LEAST || !Number.isSafeInteger(read.sum))
    return { minSalary: undefined, rest: text }
  return { minSalary: read.sum, rest: text.replace(read.words, ' ') }
}

function readEnglish(text: string): { sum: number; words: string } | undefined {
  const match = english.exec(text)
  const { sum, unit, plain, k, bare } = match?.groups ?? {}
  const digits = sum ?? plain ?? bare
  if (!match || digits === undefined) return undefined
  return { sum: Math.round(Number(digits.replaceAll(',', '')) * (unit || k ? 1000 : 1)), words: match[0] }
}

/** Without a word for pay, "2万以上" is needed: other numbers in a request are no pay. */
function readChinese(text: string): { sum: number; words: string } | undefined {
  for (const match of text.matchAll(new RegExp(chinese, 'gi'))) {
    const { what, sum, unit, above } = match.groups ?? {}
    const isPay = what !== undefined || (unit !== undefined && above !== undefined)
    if (!isPay || sum === undefined) continue
    const times = what === '月薪' || /每月|\/月/.test(match[0]) ? 12 : 1
    return {
      sum: Math.round(Number(sum) * (factors[unit?.toLowerCase() ?? ''] ?? 1) * times),
      words: match[0],
    }
  }
  return undefined
}
