import type { Phrase } from './deed.ts'

/** What the rules have but words for. A chart knows nothing of bodies, of the end of a life, or of what will come: nothing may look as if it did. */
const matters: readonly (readonly [RegExp, Phrase])[] = [
  [
    /去世|过世|離世|离世|病逝|走得很?突然|(?:奶奶|爷爷|外公|外婆|爸爸?|妈妈?|父亲|母亲|猫|狗)(?:昨天|今天|刚刚?|上周)?(?:走了|没了|死了)|\bpassed away\b|\b(?:lost|buried) my (?:mother|mum|mom|father|dad|brother|sister|son|daughter|husband|wife|grand\w+|best friend)\b|\bmy (?:mother|mum|mom|father|dad|brother|sister|son|daughter|husband|wife|grand\w+|friend|cat|dog)(?: has| just)? died\b/iu,
    {
      en: 'I am so sorry. There is no right way to miss somebody, and no need to be strong right now. If you can, let someone be with you, and talk about them. I only follow fixed rules, so I cannot talk it through with you as a real model would.',
      zh: '听你这么说，我心里也沉了一下，请节哀。想念没有对错，也不用急着坚强。要是可以，让信得过的人陪陪你，一起说说关于 TA 的事。我只会按固定规则回答，没法像真正的模型那样陪你细聊。',
    },
  ],
  [
    /(?:什么时候|几时|啥时候|哪年|哪一年|哪天|多少岁|几岁)(?:会|要|就)?(?:死|去世|离世)|活(?:到|多)(?:多少|几|大|久|长)|寿命|阳寿|寿数|死期|\bwhen (?:will|am|do|does|is) .{1,20}\b(?:die|dying)\b|\bhow long (?:will|do|does|have) (?:i|he|she|we|my \w+)\b.{0,20}\bliv|\b(?:how old|what age) .{0,20}\bdie\b|\blife ?span\b|\blife expectancy\b/iu,
    {
      en: 'No chart tells how long anybody lives, and I will not guess. If it is your body that worries you, a doctor can help; if the thought does not let you go, please tell someone you trust.',
      zh: '没有哪张命盘能看出一个人活多久，我也不会去猜。要是担心身体，请去问问医生；要是这个念头总在心里绕，跟信得过的人说说会好受些，也可以拨打 12356（全国统一心理援助热线）。',
    },
  ],
  [
    /怀孕|怀的?是(?:男|女)|生(?:男|女)孩?还是(?:男|女)|剖[腹宫]产|预产期|备孕|\bpregnan\w+|\bc-?section\b|\b(?:boy or (?:a )?girl)\b/iu,
    {
      en: 'Neither a chart nor the almanac knows anything of a pregnancy or a birth to come, and the day of an operation is for the doctors to choose. Do ask them whatever is on your mind. I wish you both well.',
      zh: '孩子是男是女、哪天出生，命盘和黄历都看不出来；手术和生产的日子，请听医生的。有什么放心不下的，产检时都可以问。愿你们平安。',
    },
  ],
  [
    /癌|肿瘤|什么病|得了?.{0,6}病|生病|病情|病重|确诊|住院|手术|化疗|(?:头|胃|肚子|腰|胸口?|心口|心脏|背|牙|腿|身上)(?:很|好|总|一直|有点)?[疼痛]|喘不上气|身体(?:很|总)?不舒服|吃什么药|能治好|抑郁症|\b(?:cancer|tumou?r|diagnos(?:is|ed)|illness|disease|sick|surgery|chest pain|medication)\b/iu,
    {
      en: 'I am sorry, that is a lot to worry about. Neither a chart nor the almanac says anything about health, and I would only mislead you: please ask a doctor. If it is severe or comes suddenly, call 120 in China, 911, 112 or your local emergency number now.',
      zh: '这一定让人很担心。身体的事，命盘和黄历都看不出来，我乱说反而会误了你：请去问医生。要是来得突然或者很严重，请马上拨打 120，在其他地方请拨当地的急救电话。你也要照顾好自己。',
    },
  ],
  [
    /克[夫妻子父母]|命硬|天煞|孤星|扫把星|短命|命苦|(?:招|撞|中)邪|血光|破财消灾|改命|\b(?:cursed|bad karma|jinx(?:ed)?)\b/iu,
    {
      en: 'Nobody is born to bring misfortune, to themselves or to others. Such sayings frighten people, and they are not what a chart is for: it is culture, and a way to reflect. What made you think of it?',
      zh: '没有谁生来就会“克”谁，也没有谁命里注定要受苦。这类说法只会吓人，命盘不是拿来做这个的：它是传统文化，给人照照自己。是有人这样说过你吗？要是有，那不是你的错。',
    },
  ],
  [
    /(?:该不该|要不要|应不应该|应该)(?:离婚|辞职|分手|结婚|复合|退学|离开)|会不?会?(?:发财|有钱|中奖|暴富|复合|离婚|出轨|考上|升职|变心)|(?:什么时候|几时|啥时候|哪年|哪一年)(?:我|才)*(?:能|会|可以)(?:结婚|脱单|嫁|娶|发财|有钱|升职|找到|遇到|遇见|复合|怀|生)|股票|彩票|基金|炒股|\bshould i (?:divorce|quit|leave|marry|break up|resign)\b|\b(?:will|when will) i (?:ever )?(?:be (?:rich|promoted)|get (?:rich|married)|marry|win|find love)\b|\b(?:stocks?|lottery)\b/iu,
    {
      en: 'That is not written anywhere, so I will neither foretell it nor decide it for you. It may help to ask what you would miss most, and what you would be glad to leave behind. To look at yourself from another side, say “show me my chart”.',
      zh: '这件事没有写定，我不替你预言，也不替你决定。可以先问问自己：最舍不得的是什么，最想放下的又是什么？想换个角度看看自己，可以说“看看我的八字”。',
    },
  ],
]

/** What is said to a wish that no tool may serve. */
export function careFor(words: string): Phrase | undefined {
  return matters.find(([signs]) => signs.test(words))?.[1]
}

const feelings =
  /难过|伤心|难受|孤独|孤单|寂寞|焦虑|压力|失眠|睡不着|委屈|崩溃|想哭|哭了|[好很太真心]累|疲惫|[好很太]烦|烦躁|郁闷|沮丧|失恋|失业|被裁|分手了|迷茫|害怕|绝望|撑不[住下]|没意思|\b(?:sad|lonely|anxious|stressed|upset|exhausted|overwhelmed|heartbroken|depressed|scared|hopeless|miserable|so tired|crying|can[’']?t sleep|broke up|lost my job)\b/iu
const heard: Phrase = {
  en: 'That sounds hard, and I am glad you said it. No need to hurry: a few quiet minutes are fine. If there is someone you trust, telling them may make it lighter. I only follow fixed rules, so I cannot talk it through with you as a real model would.',
  zh: '听起来你这会儿不太好受，谢谢你愿意说出来。不用急着好起来，先安静地待几分钟也行。要是身边有信得过的人，跟他说说，心里会轻一点。我只会按固定规则回答，没法像真正的模型那样陪你细聊。',
}

/** Somebody who says how they feel is not handed a list of tools. */
export function listeningTo(words: string): Phrase | undefined {
  return feelings.test(words) ? heard : undefined
}

const DELETE = '(?:删掉|删除|删了|删去|清除|清掉|抹掉|忘掉|忘了|忘记|去掉)'
const BIRTH = '(?:出生|生辰|生日|时辰)(?:信息|资料|日期|时间|地点|数据)'
const deletesBirth = new RegExp(
  `^(?:请|帮我|你)*${DELETE}我?的?${BIRTH}(?:吧|了)*$|^(?:请|帮我|你)*把我?的?${BIRTH}(?:都|全|给)*${DELETE}(?:吧|了)*$|^(?:please )?(?:delete|erase|remove|forget) (?:all )?(?:of )?my birth (?:data|date|details|time|info\\w*)$`,
  'iu',
)
const inProfile: Phrase = {
  en: 'Your birth data stands in your profile, not among the memories, and I cannot delete it from here: it is still there. You can delete it in your profile at any time.',
  zh: '出生信息存在你的个人资料里，不在记忆里，我没法在聊天中替你删，现在还在。你随时可以在个人资料里删掉它。',
}

/** No memory: to say that nothing of the kind is kept would be wrong. */
export function birthStays(words: string): Phrase | undefined {
  return deletesBirth.test(words.trim().replace(/[\s.。!！?？~～]+$/u, '')) ? inProfile : undefined
}
