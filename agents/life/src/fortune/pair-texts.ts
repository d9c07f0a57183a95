import type { Phrase } from '../language.ts'
import type { Family } from './area-themes.ts'
import type { Bond } from './bond-texts.ts'

/**
 * How tradition reads another's day master beside one's own, by the family of its ten god: an interpretation, of how to
 * meet and not of how it ends.
 */
export const presence: Readonly<Record<Family, Phrase>> = {
  peer: {
    zh: '像同路人，容易懂得彼此，也容易较劲；各有一块自己的地方会更自在。',
    en: 'like a fellow traveller: quick to understand, quick to compete; a corner of one’s own helps both',
  },
  output: {
    zh: '让人放松、愿意说话，也容易随口说重；多一点感谢会更暖。',
    en: 'someone with whom words come easily, sometimes too easily; a little more thanks warms it',
  },
  wealth: {
    zh: '让人想去照顾、去经营，也容易想安排；先问一句对方要什么。',
    en: 'someone to care and plan for, and easily to arrange; asking first what they want helps',
  },
  officer: {
    zh: '让人认真、有分寸，也容易觉得被要求；把期待说出来会轻松许多。',
    en: 'someone who brings out earnestness, and a sense of being measured; spoken expectations weigh less',
  },
  resource: {
    zh: '让人安心、愿意依靠，也容易习惯被照顾；记得也给对方靠一靠。',
    en: 'someone to lean on, and easily to lean on too much; let them lean as well',
  },
}

/** What relations between two charts invite to. */
export const invitations: Readonly<Record<Bond, Phrase>> = {
  union: {
    zh: '有自然靠近的地方，适合一起做点具体的事。',
    en: 'There are places where you draw near by yourselves; doing something together suits them.',
  },
  clash: {
    zh: '有节奏和看法不同的地方，先听懂，再决定要不要一样。',
    en: 'There are places where pace or views differ; understand first, and then see whether you need to agree.',
  },
  friction: {
    zh: '有需要磨合的地方，把小事说清楚，就不会攒成大事。',
    en: 'There are places that rub; small things said in time stay small.',
  },
  undertow: {
    zh: '有容易憋在心里的地方，多问一句“你怎么想”。',
    en: 'There are things that may stay unsaid; one more “what do you think?” helps.',
  },
}
