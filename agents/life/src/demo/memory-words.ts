import type { Asked, Deed, Phrase } from './deed.ts'

const saving: readonly RegExp[] = [
  /^(?:please\s+|can you\s+|could you\s+|also\s+)?(?:remember|keep in mind|make a note|take a note|note|don['’]?t forget)(?:\s+down)?(?:\s+that\b|\s*[,:])?\s+(?!to\b|me\b|everything\b)(?<what>\S.*)$/isu,
  /^(?:请|麻烦|帮我|也|你|要)*(?:记住|记一下|记下来?|记着|别忘了|不要忘了|不要忘记)(?:这件事|这一点|一下)?[\s:：，,]*(?<what>\S.*)$/su,
  /^(?:请|帮我)?把(?<what>.+?)(?:记住|记下来?|记着)(?:吧|哦)?$/su,
]
const listing: readonly RegExp[] = [
  /\bwhat (?:do|did|have) you (?:remember(?:ed)?|know|saved?|kept|keep)(?:\s+(?:about|of)\s+(?<about>.+))?$/iu,
  /\b(?:show|list|see)(?:\s+me)?\s+(?:my|your|the|all)(?:\s+\w+)?\s+memor(?:y|ies)\b/iu,
  /\bdo you (?:still )?remember\s+(?:anything about\s+)?(?<about>.+)$/iu,
  /(?:记得|记住了?|记着|知道)(?:关于)?我(?:的)?(?:哪些|什么|多少)|你(?:都|还)?(?:记得|记住了?)(?:些)?(?:什么|哪些)|(?:列出|看看|查看|显示|看一下)(?:一下)?(?:我的|你的|所有|全部)*(?:的)?记忆/u,
  /^你?还?记得(?:关于)?(?<about>.+?)(?:吗|么|嘛|不)$/u,
]
const everything =
  /^(?:please\s+)?(?:forget|delete|erase|clear|remove)\s+(?:everything|all)\b|^(?:请|帮我)*(?:把)?(?:你)?(?:忘掉|忘了|忘记|删掉|删除|清空|清除)(?:关于)?(?:我的)?(?:所有|全部|一切|记忆$)|^(?:请|帮我)*把(?:我的)?(?:所有|全部|一切)(?:的)?(?:记忆|内容|东西)?(?:都|全)?(?:忘|删|清)|^(?:全|都)(?:忘|删)(?:掉|了)|^(?:please\s+)?forget(?:\s+about)?\s+me$|^(?:请|帮我|你)*(?:忘掉|忘了|忘记)(?:关于)?我(?:这个人|的事情?)?(?:吧|了)*$|^(?:请|帮我|你)*把(?:关于)?我(?:的)?(?:(?:所有|全部|一切)(?:的)?(?:事情?|信息|资料|记忆|内容|东西)?)?(?:都|全|给)*(?:忘|删|清)(?:掉|了|除|空)*(?:吧|了)*$/iu
const forgetting: readonly RegExp[] = [
  /^(?:please\s+|can you\s+)?forget(?:\s+about)?(?:\s+the\s+(?:one|memory)\s+(?:about|of|that|with))?(?:\s+that\b)?\s+(?<what>\S.*)$/isu,
  /^(?:please\s+|can you\s+)?(?:delete|erase|remove)\s+(?:the|that|my)\s+memory(?:\s+(?:about|of|that|with))?\s+(?<what>\S.*)$/isu,
  /^(?:please\s+)?(?:don['’]?t|do not|no longer) remember(?:\s+that)?\s+(?<what>\S.*)$/isu,
  /^(?:请|帮我|你)*(?:忘掉|忘了|忘记|别记着|别再记|不要再?记(?:得|着|住)?|删掉|删除|清除)(?:关于)?(?<what>.+)$/su,
  /^(?:请|帮我)*把(?:关于)?(?<what>.+?)(?:给)?(?:忘掉|忘了|忘记|删掉|删了|删除)(?:吧)?$/su,
]

/** What is to be remembered, shown or forgotten. */
export function memoryDeed({ words }: Asked): Deed | undefined {
  const plain = words.trim().replace(/[\s.。!！?？~～]+$/u, '')
  if (everything.test(plain)) return { ...forget({ all: true }), lead: forAll }
  for (const form of forgetting) {
    const what = form.exec(plain)?.groups?.['what']
    if (what !== undefined) return meant(what)
  }
  for (const form of listing) {
    const found = form.exec(plain)
    if (found) return list(found.groups?.['about'])
  }
  for (const form of saving) {
    const what = form.exec(plain)?.groups?.['what']
    if (what !== undefined) return save(what.trim())
  }
  return undefined
}

function save(content: string): Deed {
  return {
    tool: 'save_memory',
    input: { content, type: typeOf(content) },
    thought: { en: 'The user wants this remembered.', zh: '用户想让我记住这件事。' },
  }
}

function list(about: string | undefined): Deed {
  const named = about?.replaceAll(/^(?:the|my)\s+|什么|哪些|哪一?[个位种]|谁/giu, '').trim()
  const isOfUser = !named || /^(?:me|myself|us|it|that|anything|我|我的?事|这件事)$/iu.test(named)
  return {
    tool: 'list_memories',
    input: isOfUser ? {} : { about: named },
    thought: { en: 'The user asks what I remember.', zh: '用户想知道我记得什么。' },
  }
}

/** “Forget that” names nothing: what there is is shown, for its user to say which. */
function meant(what: string): Deed {
  const about = what
    .replaceAll(/["“”「」]/gu, '')
    .replace(/(?:的)?(?:那一?条|这一?条|那件事|这件事|的事情?|的?记忆|的?内容)(?:吧|了)?$/u, '')
    .replace(/(?:吧|了)$/u, '')
    .trim()
  if (about === '' || /^(?:it|that|this|them|那个|这个|它)$/iu.test(about)) return list(undefined)
  return forget({ about })
}

const forAll: Phrase = {
  en: 'This forgets everything that I remember about you, for good. Your profile with your birth data is not part of it. It waits for your yes.',
  zh: '这会忘掉我记住的关于你的一切，忘了就找不回来了。个人资料和里面的出生信息不在其中。要等你确认才会做。',
}

function forget(input: Deed['input']): Deed {
  return {
    tool: 'forget_memory',
    input,
    thought: { en: 'The user wants that forgotten.', zh: '用户想让我忘掉这件事。' },
  }
}

/** The first kind whose words stand in it. */
const kinds: readonly (readonly [RegExp, string])[] = [
  [
    /\b(?:goal|want to|plan to|hope to|aim to|dream of)\b|目标|打算|计划|希望|想(?:要|当|学|去|考|做|成为)/iu,
    'goal',
  ],
  [
    /\b(?:likes?|loves?|prefers?|hates?|enjoys?|dislikes?|favou?rite)\b|喜欢|爱吃|爱喝|爱看|讨厌|不吃|偏好|最爱/iu,
    'preference',
  ],
  [/\b(?:reali[sz]ed?|learned that|noticed)\b|发现|意识到|明白了|领悟/iu, 'insight'],
  [
    /\b(?:yesterday|last (?:week|month|year)|moved|married|graduated|broke up|passed)\b|昨天|上周|上个月|去年|搬家|结婚|毕业|分手|通过了/iu,
    'event',
  ],
]

function typeOf(content: string): string {
  return kinds.find(([words]) => words.test(content))?.[1] ?? 'fact'
}
