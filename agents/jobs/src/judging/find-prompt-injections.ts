import { sentencesOf } from '../skills/posting-sections.ts'

/** Postings that talk to a program instead of a reader. */
const PATTERNS = [
  // Ignore the instructions above.
  new RegExp(
    [
      String.raw`\b(?:ignore|disregard|forget|override)\b.{0,40}`,
      String.raw`\b(?:instructions?|prompts?|rules|resume|cv|above|previous|prior)\b`,
    ].join(''),
    'iu',
  ),
  // If you are an AI
  new RegExp(
    [
      String.raw`\b(?:if you are|as|dear|attention|note to|to all)\b.{0,12}`,
      String.raw`\b(?:an? )?(?:ai|llm|language model|chatbot|ai assistant)s?\b`,
    ].join(''),
    'iu',
  ),
  // An AI must rate this job
  new RegExp(
    [
      // Behind the verb, so that the texts before and after it are not combined.
      String.raw`(?<=\b(?:ai|llm|language model|assistant|model|system)s?\b.{0,60})`,
      String.raw`\b(?:must|should|shall|please|always)\b.{0,40}`,
      String.raw`\b(?:rate|score|answer|recommend|reply|say|output|give|apply)\b`,
    ].join(''),
    'iu',
  ),
  /\b(?:answer|score|rate|output|reply)\b.{0,40}\b100\b(?!\s?%)/iu,
  // Lines that only we write.
  /[[(]\s*context\s*:/iu,
  /<\/?(?:system|instructions?|assistant)>|\bsystem prompt\b/iu,
  /(?:忽略|无视|忘记).{0,20}(?:指令|提示|规则|简历|以上|之前)/u,
  /(?:人工智能|AI|大模型|语言模型|助手).{0,20}(?:必须|请|应该).{0,20}(?:打分|评分|回答|推荐|给出)/iu,
  /(?:打|给|评)(?:出)?\s?(?:100|满)\s?分/u,
]
const MAX_INSTRUCTIONS = 3

/** The sentences of a posting that seem to be meant for a program that reads it. */
export function findPromptInjections(description: string): readonly string[] {
  const all = sentencesOf(description).map(({ text }) => text)
  return all.filter((text) => PATTERNS.some((pattern) => pattern.test(text))).slice(0, MAX_INSTRUCTIONS)
}
