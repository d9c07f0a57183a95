/** What a page says of its posting on lines of their own: `Company: Lion City Robotics`. */
export type LabelledFacts = {
  readonly title: string
  readonly company: string
  readonly location: string
  readonly salary: string
}

/** Labels stand above a description, or at its beginning. */
const MAX_LINES = 300
const MAX_VALUE_LENGTH = 120

const LABELS: Readonly<Record<keyof LabelledFacts, RegExp>> = {
  title: /^(?:job title|position title|title|position|role|职位名称|岗位名称|职位|岗位)$/i,
  company: /^(?:company|company name|employer|organi[sz]ation|公司|公司名称|企业名称|用人单位|雇主)$/i,
  location:
    /^(?:location|job location|work location|office|place|city|based in|工作地点|工作城市|上班地点|地点|城市)$/i,
  salary:
    /^(?:salary|salary range|pay|pay range|compensation|base pay|remuneration|薪资|薪酬|薪水|工资|月薪|年薪|薪资范围|薪资待遇)$/i,
}

/** Reads the labelled facts of a text, the first of each kind. What it does not say is ''. */
export function readLabelledFacts(text: string): LabelledFacts {
  const facts = { title: '', company: '', location: '', salary: '' }
  for (const line of text.split('\n', MAX_LINES)) {
    const [label, value] = splitLabel(line)
    if (value === '' || value.length > MAX_VALUE_LENGTH) continue
    for (const [kind, pattern] of Object.entries(LABELS) as [keyof LabelledFacts, RegExp][])
      if (facts[kind] === '' && pattern.test(label)) facts[kind] = value
  }
  return facts
}

/** The label and the value of a line, without what Markdown writes round them. */
function splitLabel(line: string): readonly [label: string, value: string] {
  const at = line.search(/[:：]/)
  if (at < 1 || at > 40) return ['', '']
  return [withoutMarks(line.slice(0, at)), withoutMarks(line.slice(at + 1))]
}

function withoutMarks(text: string): string {
  return text
    .replaceAll(/[*_`#\\]/g, '')
    .replace(/^[\s>•·-]+/, '')
    .trim()
}
