import { describe, expect, it } from 'vitest'

import { answer, came, user, type Turn } from './life.fixture.ts'

const need =
  'Your birth data is not known yet. With date, time and place of birth the chart can be drawn; not knowing the hour is fine.'
const asked = 'When were you born?\n- Date\n- Time (optional)\n- Place (optional)\n- Gender'
const chart =
  'Pillars: Geng-Wu, Xin-Si, Geng-Chen, Gui-Wei. Day master: Geng (yang metal). Warning: near a solar term.'

describe('the life agent without a model', () => {
  it('opens the form where the chart lacks birth data, and ends its turn', async () => {
    const opened = await answer(user('show me my chart'), ...came('show_bazi_chart', {}, need))
    const ended = await answer(
      user('show me my chart'),
      ...came('show_bazi_chart', {}, need),
      ...came('request_info', { info_type: 'birth' }, asked),
    )

    expect(opened.calls).toEqual([{ request_info: { info_type: 'birth' } }])
    expect(ended.calls).toEqual([])
    expect(ended.text).toMatch(/^When were you born\?\n[^]*\n\nPlease fill in the form;/)
    expect(ended.text).not.toContain('not known yet')
  })

  it('does so in Chinese too, and not where a chart speaks of a birth', async () => {
    const lacking = '还没有你的出生信息。填一下出生日期、时间和地点，就能排盘了；不知道时辰也没关系。'
    const opened = await answer(user('看看今年的运势'), ...came('show_bazi_fortune', {}, lacking))
    const told = await answer(
      user('看看我的八字'),
      ...came('show_bazi_chart', {}, '四柱命盘\n出生：1990-05-15，男'),
    )

    expect(opened.calls).toEqual([{ request_info: { info_type: 'birth' } }])
    expect(told.text).not.toContain('还没有你的出生信息')
    expect(told).toMatchObject({
      calls: [],
      text: expect.stringMatching(/^这是排出来的命盘：\n\n四柱命盘\n/),
    })
  })

  it('goes on with the chart once the form has come', async () => {
    const { calls } = await answer(
      user('[Context: The user has filled in the form "birth"; what it says is saved.]\n\n好了'),
    )
    const thanks = await answer(
      user('[Context: The user has filled in the form "goals"; what it says is saved.]\n\n填好了'),
    )

    expect(calls).toEqual([{ show_bazi_chart: {} }])
    expect(thanks).toMatchObject({ calls: [], text: expect.stringMatching(/^谢谢你愿意告诉我，已经存好了/) })
  })

  it.each([
    '出生日期: 1990-05-15\n出生时间: 14:30\n出生地点: 成都\n性别: 女',
    'Date of birth: 1990-05-15\nTime of birth: 14:30\nGender: Female',
  ])('takes the form for the birth, not the words in which a page says it too: %j', async (words) => {
    const context = '[Context: The user has filled in the form "birth"; what it says is saved.]'

    const { calls } = await answer(user(`${context}\n\n${words}`))

    expect(calls).toEqual([{ show_bazi_chart: {} }])
  })

  it('goes on with what the form was opened for', async () => {
    const { calls } = await answer(
      user('明年运势怎么样'),
      ...came('show_bazi_fortune', { year: 2027 }, '还没有你的出生信息。'),
      ...came('request_info', { info_type: 'birth' }, '表单'),
      { role: 'assistant', content: [{ type: 'text', text: '填好表单发给我就行。' }] },
      user('[Context: The user has filled in the form "birth"; what it says is saved.]\n\n填好了'),
    )

    expect(calls).toEqual([{ show_bazi_fortune: { year: 2027 } }])
  })

  it('explains the chart in the tool’s own words, and says what may be asked next', async () => {
    const { calls, text } = await answer(user('show me my chart'), ...came('show_bazi_chart', {}, chart))

    expect(calls).toEqual([])
    expect(text.split('\n\n').slice(0, 3)).toEqual([
      'Here is your chart, as it was worked out:',
      chart,
      'To look at one year, ask for “my fortune in 2027”.',
    ])
  })

  it('leaves to the card what is tedious to read, and says so', async () => {
    const long = '四柱命盘\n四柱：年柱 庚午\n藏干：年柱 丁 正官\n纳音：年柱 路旁土\n大运：顺行\n是解读。'
    const year = 'The year 2027\nMonths:\n- from 2027-02-04\n- from 2027-03-06\nTo keep in mind:\n- So.'
    const ofChart = await answer(user('看看我的八字'), ...came('show_bazi_chart', {}, long))
    const ofYear = await answer(
      user('my fortune in 2027'),
      ...came('show_bazi_fortune', { year: 2027 }, year),
    )

    expect(ofChart.text).toContain('四柱命盘\n四柱：年柱 庚午\n大运：顺行\n是解读。\n\n更多细节在卡片里。')
    expect(ofYear.text).toMatch(/^The year 2027\nTo keep in mind:\n- So\.\n\nThe card has the details\./)
  })

  it('tells memories without the ids by which tools know them', async () => {
    const list = '记住的有 1 条：\n- “我喜欢爬山”（喜好，2026-11-22，mem_K4Q9hyNnQ69YcCh_）'
    const { text } = await answer(user('你记得我什么？'), ...came('list_memories', {}, list))

    expect(text).toMatch(/^记住的有 1 条：\n- “我喜欢爬山”（喜好，2026-11-22）/)
  })

  it('says what is about to be forgotten, and then what was', async () => {
    const words = '忘掉所有记忆'
    const lead =
      '这会忘掉我记住的关于你的一切，忘了就找不回来了。个人资料和里面的出生信息不在其中。要等你确认才会做。'
    const before = await answer(user(words))
    const gone = came('forget_memory', { all: true }, '记住的内容都忘掉了，一共 2 条。')
    const said: Turn = { role: 'assistant', content: [{ type: 'text', text: lead }] }
    const after = await answer(user(words), said, ...gone)

    expect(before).toEqual({ calls: [{ forget_memory: { all: true } }], text: lead })
    expect(after).toMatchObject({ calls: [], text: expect.stringMatching(/^记住的内容都忘掉了/) })
  })

  it('answers in the language that the agent was told, whatever letters a wish has', async () => {
    const chinese: Turn = { role: 'system', content: '# Language\nAnswer in Chinese: 用自然的中文回答。' }
    const { text } = await answer(chinese, user('人生K线'), ...came('show_bazi_kline', {}, '出错了。', true))

    expect(text).toMatch(/^这一步没有成功：出错了。/)
  })

  it('tells all that came of several wishes, and what failed', async () => {
    const { text } = await answer(
      user('记住我喜欢爬山。看看我的八字'),
      ...came('save_memory', { content: '我喜欢爬山', type: 'preference' }, '已记住：“我喜欢爬山”（喜好）。'),
      ...came('show_bazi_chart', {}, '出了点问题。', true),
    )

    expect(text).toMatch(/^已记住：“我喜欢爬山”（喜好）。\n\n这一步没有成功：出了点问题。/)
  })

  it.each([
    ['最近好累，什么都不想做', '谢谢你愿意说出来'],
    ['I feel so lonely tonight', 'I am glad you said it'],
  ])('hears “%s”, and lists nothing', async (words, said) => {
    const { calls, text } = await answer(user(words))

    expect(calls).toEqual([])
    expect(text).toContain(said)
    expect(text).not.toMatch(/^- /m)
  })

  it.each(['想死你了，看看我的八字', '笑死我了，看看我的八字', 'I am dying to see my chart'])(
    'takes “%s” for what it is',
    async (words) => {
      expect((await answer(user(words))).calls).toEqual([{ show_bazi_chart: {} }])
    },
  )
})
