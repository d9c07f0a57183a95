import { describe, expect, it } from 'vitest'

import { answer, user, type Turn } from './life.fixture.ts'

const chart = [{ show_bazi_chart: {} }]
const save = (content: string, type: string) => [{ save_memory: { content, type } }]
const born = (
  birth_date: string,
  birth_time: string | undefined,
  gender: string,
  birth_location?: string,
) => [
  {
    calculate_bazi: {
      birth_date,
      ...(birth_time !== undefined && { birth_time }),
      gender,
      ...(birth_location !== undefined && { birth_location }),
    },
  },
]

describe('the offline model, asked as the life agent', () => {
  it.each<[string, object[]]>([
    ['看看我的八字', chart],
    ['帮我排盘', chart],
    ['我的日主是什么？', chart],
    ['我命里缺什么', chart],
    ['show me my chart', chart],
    ['Explain my Four Pillars, please.', chart],
    ['填写我的出生信息', [{ request_info: { info_type: 'birth' } }]],
    ['I want to enter my birth data', [{ request_info: { info_type: 'birth' } }]],
    ['看看2027年的运势', [{ show_bazi_fortune: { year: 2027 } }]],
    ['今年运势怎么样？', [{ show_bazi_fortune: {} }]],
    ['明年会怎样？', [{ show_bazi_fortune: { year: 2027 } }]],
    ['my fortune in 2030', [{ show_bazi_fortune: { year: 2030 } }]],
    ['What will next year bring me?', [{ show_bazi_fortune: { year: 2027 } }]],
    ['看看我的人生K线', [{ show_bazi_kline: {} }]],
    ['show my life line from 2020 to 2040', [{ show_bazi_kline: { start_year: 2020, end_year: 2040 } }]],
    ['今天宜忌什么？', [{ show_almanac: {} }]],
    ['我明天运气好吗', [{ show_almanac: { date: '2026-11-23' } }]],
    ['明天适合表白吗', [{ show_almanac: { date: '2026-11-23' } }]],
    ['明天会发生什么？', [{ show_almanac: { date: '2026-11-23' } }]],
    ['What will tomorrow bring?', [{ show_almanac: { date: '2026-11-23' } }]],
    ['明天的黄历', [{ show_almanac: { date: '2026-11-23' } }]],
    ['看看12月31日的黄历', [{ show_almanac: { date: '2026-12-31' } }]],
    ['What does the almanac say today?', [{ show_almanac: {} }]],
    ['almanac for tomorrow', [{ show_almanac: { date: '2026-11-23' } }]],
    ['下个月哪天适合搬家？', [{ find_days: { activity: '搬家', from: '2026-12-01', days: 31 } }]],
    ['帮我挑个结婚的好日子', [{ find_days: { activity: '结婚' } }]],
    ['什么时候适合开业', [{ find_days: { activity: '开业' } }]],
    ['a good day to move next month', [{ find_days: { activity: 'move', from: '2026-12-01', days: 31 } }]],
    [
      'best day for a haircut this month',
      [{ find_days: { activity: 'haircut', from: '2026-11-22', days: 9 } }],
    ],
    ['记住我喜欢爬山', save('我喜欢爬山', 'preference')],
    ['请记住：我女儿叫小满', save('我女儿叫小满', 'fact')],
    ['别忘了我想考研', save('我想考研', 'goal')],
    ['把我对花生过敏记下来', save('我对花生过敏', 'fact')],
    ['remember that I like hiking', save('I like hiking', 'preference')],
    ["Please remember: my cat's name is Mimi", save("my cat's name is Mimi", 'fact')],
    ["don't forget that I want to learn to swim", save('I want to learn to swim', 'goal')],
    ['你记得我什么？', [{ list_memories: {} }]],
    ['看看我的记忆', [{ list_memories: {} }]],
    ['你还记得我的猫吗？', [{ list_memories: { about: '我的猫' } }]],
    ['你还记得我喜欢什么吗？', [{ list_memories: { about: '我喜欢' } }]],
    ['What do you remember about me?', [{ list_memories: {} }]],
    ['what do you know about my cat', [{ list_memories: { about: 'cat' } }]],
    ['我之前说过关于姐姐的什么？', [{ search_db: { query: '姐姐' } }]],
    ['What did I say about my sister?', [{ search_db: { query: 'sister' } }]],
    ['忘掉爬山那条', [{ forget_memory: { about: '爬山' } }]],
    ['把我喜欢爬山这件事忘掉吧', [{ forget_memory: { about: '我喜欢爬山' } }]],
    ['不要再记着我的猫了', [{ forget_memory: { about: '我的猫' } }]],
    ['forget that I like hiking', [{ forget_memory: { about: 'I like hiking' } }]],
    ['Delete the memory about hiking', [{ forget_memory: { about: 'hiking' } }]],
    ['forget that', [{ list_memories: {} }]],
    ['忘掉所有记忆', [{ forget_memory: { all: true } }]],
    ['忘掉我', [{ forget_memory: { all: true } }]],
    ['忘了我吧', [{ forget_memory: { all: true } }]],
    ['把关于我的一切都忘了吧', [{ forget_memory: { all: true } }]],
    ['forget me', [{ forget_memory: { all: true } }]],
    ['删除我的数据', [{ delete_my_data: {} }]],
    ['请把我的所有数据都删掉', [{ delete_my_data: {} }]],
    ['注销我的账号', [{ delete_my_data: {} }]],
    ['确认删除', [{ delete_my_data: {} }]],
    ['Delete my data.', [{ delete_my_data: {} }]],
    ['please erase all my personal data', [{ delete_my_data: {} }]],
    ['Confirm delete', [{ delete_my_data: {} }]],
    ['忘掉我得过癌症那条', [{ forget_memory: { about: '我得过癌症' } }]],
    ['记住我妈妈做过手术', save('我妈妈做过手术', 'fact')],
    ['forget everything you know about me', [{ forget_memory: { all: true } }]],
    ['记住我喜欢爬山。看看我的八字', [...save('我喜欢爬山', 'preference'), ...chart]],
    ['remember that I like tea and then show me my chart', [...save('I like tea', 'preference'), ...chart]],
    ['你好', []],
    ['hello', []],
    ['我忘了带伞', []],
    ['tell me a joke', []],
    ['', []],
  ])('%s', async (words, calls) => {
    expect((await answer(user(words))).calls).toEqual(calls)
  })

  it.each<[string, object[]]>([
    ['1990年5月15日下午2点半 男 成都', born('1990年5月15日', '下午2点半', 'male', '成都')],
    ['我是女生，1988年7月1日15:30出生在上海', born('1988年7月1日', '15:30', 'female', '上海')],
    ['女，生于2000-01-01 凌晨12点10分，哈尔滨', born('2000-01-01', '凌晨12点10分', 'female', '哈尔滨')],
    ['帮我排八字：1975年10月3日，晚上十一点，男', born('1975年10月3日', '晚上十一点', 'male')],
    ['1990年5月15日 子时 女', born('1990年5月15日', '子时', 'female')],
    ['农历1990年四月廿一 早上八点 男 重庆', born('农历1990年四月廿一', '早上八点', 'male', '重庆')],
    ['我农历2020年闰四月初一00:30出生在哈尔滨，男', born('农历2020年闰四月初一', '00:30', 'male', '哈尔滨')],
    ['农历1990年4月21日 男 重庆', born('农历1990年4月21日', undefined, 'male', '重庆')],
    ['我1990年5月15日14:30出生。女，成都。', born('1990年5月15日', '14:30', 'female', '成都')],
    [
      '我是1990年农历四月廿一早上六点半出生的，男，成都',
      born('1990年农历四月廿一', '早上六点半', 'male', '成都'),
    ],
    ['民国79年5月15日子时生，男', born('民国79年5月15日', '子时', 'male')],
    ['一九九〇年五月十五日，大概下午两点半，女', born('一九九〇年五月十五日', '大概下午两点半', 'female')],
    ['19900515 男 14:30', born('19900515', '14:30', 'male')],
    ['2020年闰四月初五，女宝宝，帮我看八字', born('2020年闰四月初五', undefined, 'female')],
    ['1990年5月15日（农历四月廿一）女', born('1990年5月15日', undefined, 'female')],
    ['我身份证上是1990年5月15日，但那是阴历，男', born('农历1990年5月15日', undefined, 'male')],
    ['我1990年5月15日生，不知道几点，女', born('1990年5月15日', undefined, 'female')],
    ['我老公1988年3月2日出生，我们合适吗', born('1988年3月2日', undefined, 'male')],
    ['我家双胞胎，1990年5月15日 14:30和14:40出生，都是男孩', born('1990年5月15日', '14:30', 'male')],
    ['1990年5月15号出生，属马，女生', born('1990年5月15号', undefined, 'female')],
    // Which year, which hour, which eight it is the tool asks.
    ['90年5月15号下午两点，男，帮我算命', born('90年5月15号', '下午两点', 'male')],
    ['1990年5月15日，大概傍晚，女，出生在昆明', born('1990年5月15日', '大概傍晚', 'female', '昆明')],
    ['1990年5月15日 傍晚六七点 男', born('1990年5月15日', '傍晚六七点', 'male')],
    ['1990年5月15日8点 男', born('1990年5月15日', '8点', 'male')],
    ['1990/5/15 女', born('1990/5/15', undefined, 'female')],
    ['born 15 May 1990 2:30pm in Chengdu, male', born('15 May 1990', '2:30pm', 'male', 'Chengdu')],
    [
      'I was born on July 1st, 1988 at 3 a.m. in New York, a girl',
      born('July 1st, 1988', '3 a.m.', 'female', 'New York'),
    ],
    ['我和女朋友 1992年3月4日 合不合', born('1992年3月4日', undefined, 'female')],
    ['我的出生年份是1990年5月15日，男', born('1990年5月15日', undefined, 'male')],
    ['woman, born 1979-12-31', born('1979-12-31', undefined, 'female')],
    ['my chart please, I was born on 15 May 1990', [{ request_info: { info_type: 'birth' } }]],
    ['不对，是下午五点', [{ request_info: { info_type: 'birth' } }]],
    ['我记错了，我是1991年出生的', [{ request_info: { info_type: 'birth' } }]],
    ['不对，是我女儿考上了', []],
    [
      '不对，我是1991年5月15日出生的，男',
      [{ calculate_bazi: { birth_date: '1991年5月15日', gender: 'male', save: true } }],
    ],
    ['2026年12月24日有一场考试', []],
  ])('reads a birth: %s', async (words, calls) => {
    expect((await answer(user(words))).calls).toEqual(calls)
  })

  it.each<[string, object]>([
    ['我是女生，1988年7月1日出生', { save: true }],
    ['I was born 15 May 1990, male', { save: true }],
    ['1990年5月15日 男', { save: true }],
    ['我女朋友 1992年3月4日 出生', {}],
    ['my boss was born 15 May 1970, a man', {}],
  ])('keeps the user’s own birth where none is saved, and nobody else’s: %s', async (words, kept) => {
    const none: Turn = { role: 'system', content: '# Birth data\nNone is saved. For whatever needs it, …' }
    const [call] = (await answer(none, user(words))).calls as { calculate_bazi: object }[]

    expect(call?.calculate_bazi).toMatchObject(kept)
    expect('save' in (call?.calculate_bazi ?? {})).toBe('save' in kept)
  })

  it('says what can be done here, in the language of who greets', async () => {
    const chinese = (await answer(user('你好'))).text
    const english = (await answer(user('hi'))).text

    expect(chinese).toMatch(/^你好！\n\n我在这里可以为你：\n- 排八字命盘/)
    expect(chinese).toContain('忘掉爬山那条')
    expect(english).toContain('“a good day to move next month”')
    expect(english.match(/^- /gm)).toHaveLength(5)
    expect(english).not.toContain('I also call these tools')
  })
})
