import { describe, expect, it } from 'vitest'

import { crisisResources, crisisText, detectDanger, crisisHelp, isCrisis } from './index.ts'

describe('isCrisis', () => {
  it.each([
    '最近压力很大，不想活了',
    '有时候觉得活着没意思',
    '我想死',
    '想要结束自己的生命',
    '昨晚又割腕了',
    '總有輕生的念頭',
    '我忍不住伤害自己',
    '从世界上消失就好了',
    '我觉得大家没有我会更好',
    '要是没有我，他们会更幸福',
    '好想消失',
    '我真的撑不下去了',
    'I want to die',
    'thinking about suicide again',
    'I keep hurting myself',
    'everyone would be better off without me',
    'I can’t go on living like this',
    "I don't want to be alive",
    'sometimes I think of ending my life',
    'I relapsed into self-harm',
    '工作忙死了，真的不想活了',
    '我想去死',
    '昨晚我又自残了',
    '不如死了算了',
    '活着好累',
    '真希望明天不想再醒来',
    '我想离开这个世界',
    '好累想死',
    '活著沒有意義',
    'there is no reason to live',
    "I don't want to be here anymore",
    "I don't want to wake up",
    'I am tired of living',
    'I would be better off dead',
  ])('detects self-harm in %j', (words) => {
    expect(isCrisis(words)).toBe(true)
  })

  it.each([
    '想死你了',
    '我想死家里的饭菜了',
    '笑死我了',
    '想消失几天，去海边走走',
    '公司快撑不下去了',
    '他们没有我的电话',
    '今天累死了',
    '热得想死',
    '担心工作不稳定',
    '想换个城市生活',
    '人生规划',
    '对未来有点迷茫',
    'this cake is to die for',
    'I am dying to know',
    'killing time before the deadline',
    'worried about my career',
    'I cut the budget myself',
    'my life is about to change',
    '这蛋糕好吃得要死',
    'my plants died',
    '我的猫离开了',
    "I can't wake up early",
    "I don't want to wake up early",
    'the war of 1812',
    '',
  ])('detects no self-harm in %j', (words) => {
    expect(isCrisis(words)).toBe(false)
  })
})

describe('detectDanger', () => {
  it.each([
    ['overdose', '我吃了一瓶安眠药'],
    ['overdose', '我刚刚吞了一整瓶安眠药，好困'],
    ['overdose', '我吃了三十多片，一共吃了30片安定'],
    ['overdose', '我把药都吃了，吃下了整整两板药'],
    ['overdose', '我吞了一整瓶安眠藥'],
    ['overdose', '妈妈喝了农药怎么办'],
    ['overdose', '过量服药会怎么样，我过量吃了'],
    ['overdose', 'I took all my pills'],
    ['overdose', 'i just swallowed a whole bottle of tylenol'],
    ['overdose', 'I’ve taken too many sleeping pills'],
    ['overdose', 'I took 40 paracetamol tablets'],
    ['overdose', 'my son drank bleach'],
    ['overdose', 'I think I overdosed'],
    ['violence', '他打我，我好怕'],
    ['violence', '老公昨晚又动手打我了'],
    ['violence', '爸爸经常打我'],
    ['violence', '媽媽一直打罵我，我好怕'],
    ['violence', '我被家暴了'],
    ['violence', '我被繼父性侵'],
    ['violence', 'my dad hits me'],
    ['violence', 'My husband choked me last night'],
    ['violence', "my step dad keeps touching me, he's molested me"],
    ['violence', 'he beats me when he is drunk'],
    ['violence', "I'm being abused at home"],
    ['violence', 'I am afraid to go home'],
    ['self-harm', '我想自杀'],
    ['self-harm', '我想自殺'],
    ['self-harm', '我真的不想活了，今晚就想结束'],
    ['self-harm', '我 不 想 活 了'],
    ['self-harm', '活著還有什麼意思'],
    ['self-harm', '没有活下去的勇气'],
    ['self-harm', '我用刀片划手臂'],
    ['self-harm', 'I cant go on anymore'],
    ['self-harm', "I can't go on"],
    ['self-harm', 'dont want to live'],
    ['self-harm', 'i dont wanna be here anymore'],
    ['self-harm', 'wanna die'],
    ['self-harm', 'i really cant live like this'],
    ['self-harm', 'It hurts. Cant go on'],
    ['self-harm', 'I do not want to exist'],
    ['self-harm', 'I wish I could disappear forever'],
    ['self-harm', 'I think about going to sleep and not waking up'],
    ['self-harm', 'im gonna kms'],
    ['self-harm', 'my life isnt worth living'],
    ['self-harm', 'nobody would notice if I was gone'],
    ['self-harm', 'I want to hang myself'],
    ['self-harm', 'I have nothing left to live for'],
  ])('detects %s in %j', (danger, words) => {
    expect(detectDanger(words)).toBe(danger)
  })

  it.each([
    '累死了',
    '笑死',
    '他是我的死党',
    '好想死党们啊',
    '她整天要死要活的',
    '电脑死机了怎么办',
    '这个方案别死磕了',
    '我不想活动，只想躺着',
    '年轻生活真好',
    '把客厅装上吊灯',
    '全场跳楼价',
    '各自尽力就好',
    '自杀率的统计在哪里查',
    '自杀式降价',
    '手机没电，要死了',
    '他打我电话没接',
    '他打我手机',
    '他打我的电话没接',
    'how do I kill my self-doubt?',
    'I cannot live stream today',
    'I dont want to live-stream it',
    'the file cannot exist twice',
    'the show cannot go on without him',
    'users dont want to wake up early',
    '老板被打断了',
    '打游戏的时候他打我好疼',
    '我感冒了，吃了两片药',
    '吃了一盒感冒药还没好',
    '我每天吃一片安眠药',
    '我想喝一杯',
    '我吃了一盒巧克力',
    'this traffic is killing me',
    'kill the process',
    'how do I kill a zombie process in Linux?',
    'the dead line is tomorrow',
    'what is the deadline?',
    'I ran 10 kms today',
    'I would rather die than eat that',
    'I nearly died laughing',
    'going to die of boredom',
    'I cut myself shaving',
    'I shot myself in the foot with that commit',
    "I can't go on vacation this year",
    "I don't want to live in London",
    "I don't want to live with my parents",
    "I can't live without coffee",
    'my brother beat me at chess',
    'my boss hit me up about the report',
    'he beat me by 3 points',
    'I took my pills this morning',
    'I took two aspirin tablets',
    'I took all my pills as prescribed',
    'overdose statistics by year',
    'Suicide Squad is a film',
    'that would be political suicide',
    'dead code elimination',
    'the battery died',
    'my heart is dying to see her',
    'execution of the plan',
    'fork bomb',
  ])('detects no danger in %j', (words) => {
    expect(detectDanger(words)).toBeUndefined()
  })
})

describe('crisisHelp', () => {
  it.each([
    ['我想自杀', 'Asia/Shanghai', ['12356', '120 / 110'], ['1925', '988']],
    ['我想自杀', undefined, ['12356', '2389 2222', '1925', 'findahelpline.com'], ['1737']],
    ['我不想活了', 'Asia/Hong_Kong', ['2389 2222', '999'], ['12356']],
    ['我想死', 'Asia/Taipei', ['1925', '安心專線', '119 / 110'], ['12356', '谢谢']],
    ['我沒有活下去的勇氣', undefined, ['1925', '2389 2222'], ['12356']],
    ['I want to die', 'America/New_York', ['988', '911'], ['116 123']],
    ['I want to die', 'America/Toronto', ['988 (Suicide Crisis Helpline (Canada)', '911'], ['116 123']],
    ['I want to die', 'Europe/London', ['116 123', '999'], ['911']],
    ['I want to die', 'Europe/Dublin', ['116 123', '112'], ['911']],
    ['I want to die', 'Europe/Berlin', ['112', 'findahelpline.com'], ['911']],
    ['I want to die', 'Australia/Perth', ['13 11 14', '000'], ['911']],
    ['I want to die', 'Pacific/Auckland', ['1737', '111'], ['911']],
    ['I want to die', 'Asia/Kolkata', ['14416', '112'], ['911']],
    ['I want to die', 'Asia/Singapore', ['1767', '995'], ['911']],
    ['I want to die', 'America/Sao_Paulo', ['your local emergency number', 'findahelpline.com'], ['12356']],
    ['I want to die', 'Asia/Shanghai', ['12356', 'mainland China'], ['988']],
  ])('names the help lines of %j in %s', (words, zone, named, missing) => {
    const help = crisisHelp('self-harm', { words, zone })

    for (const each of named) expect(help).toContain(each)
    for (const each of missing) expect(help).not.toContain(each)
  })

  it('starts with the emergency number for an overdose', () => {
    const help = crisisHelp('overdose', { words: 'I took all my pills', zone: 'America/Chicago' })

    expect(help.indexOf('911')).toBeGreaterThan(0)
    expect(help.indexOf('911')).toBeLessThan(help.indexOf('1-800-222-1222'))
    expect(help.indexOf('1-800-222-1222')).toBeLessThan(help.indexOf('988'))
  })

  it.each([
    ['他打我，我好怕', 'Asia/Shanghai', ['110', '12338', '12355']],
    ['他打我，我好怕', 'Asia/Taipei', ['113']],
    ['他打我，我好怕', 'Asia/Hong_Kong', ['2343 2255', '999']],
    ['my dad hits me', 'America/Denver', ['1-800-799-7233', '1-800-422-4453', '911']],
    ['my dad hits me', 'Europe/London', ['0808 2000 247', '0800 1111', '999']],
  ])('names the lines against violence in %j in %s', (words, zone, named) => {
    const help = crisisHelp('violence', { words, zone })

    for (const each of named) expect(help).toContain(each)
  })
})

describe('the text for a crisis', () => {
  it.each(['zh', 'en'] as const)('names every help line in %s', (language) => {
    for (const { contact } of crisisResources) {
      expect(crisisText[language]).toContain(contact.replace('https://', ''))
    }
  })
})
