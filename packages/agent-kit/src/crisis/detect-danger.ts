/** The subject of a message. `overdose`: too much medicine, or poison. */
export type Danger = 'overdose' | 'violence' | 'self-harm'

/**
 * The phrases follow published warning signs, which docs/agents/safety.md names:
 * https://jcsuicideprevention.org/warning-signs-risk-factors (the list of the National Institute of Mental Health),
 * https://www.staynedelta.org/warning-signs, https://www.crisis.org.cn/shows/13/554.html and, for violence,
 * https://dcfs.illinois.gov/safe-kids/protecting/warning-signs-of-domestic-violence.html.
 * English phrases have no apostrophes: they are taken out of a message before it is read, as many people leave them
 * out.
 */
const SELF_HARM: readonly RegExp[] = [
  /自杀|自殺|自残|自殘|自伤|自傷|(?<!各)自[尽盡](?![力量职職责責心可])|寻短见|尋短見|(?<!年)[轻輕]生(?!活)|割腕|跳[楼樓](?![价價机機大])|上吊(?![灯燈扇顶頂柜櫃篮籃椅床桥橋])|遗书|遺書/u,
  /不想活(?![动動跃躍泼潑])|不想再活|活不下去|活[着著][没沒](?:有)?(?:什么|什麼)?(?:意思|意义|意義)|活[着著][有还還]?[^，。！？]{0,2}(?:什么|什麼)(?:意思|意义|意義)|活[着著]?[好太真很]累|活[够夠]了|生无可恋(?!脸|表情)|生無可戀(?!臉|表情)|不想再?醒(?:过|過)?[来來]/u,
  /想(?:要)?死(?![党黨磕机機记記心皮缠纏板守撑撐])|想去死|寻死|尋死|求死|死了算了|死了更好|死了就好|一死了之|一了百了|不如死|自我了[断斷]|自行了[断斷]|想安[乐樂]死/u,
  /(?:结束|結束|了结|了結|放弃|放棄)(?:自己的|我的|自己|这条|這條|我这条)?(?:生命|性命|人生)|(?:从|從)(?:这个|這個)?世界(?:上)?消失|(?:离开|離開|告别|告別)(?:这个|這個)世界|[伤傷]害自己|弄[伤傷]自己|(?:用刀|拿刀|刀片)[^，。！？]{0,4}[割划劃]|[割划劃](?:自己|手腕|手臂|胳膊)/u,
  /(?:撑|撐|熬|扛)不下去|想(?:要|就这么|就这样|直接|彻底|徹底|永远|永遠)*消失(?!几|幾|两|兩|一[天阵陣会會段下周]|在人群)|[没沒](?:了|有)?我,?[^，。！？,.!?]{0,8}(?:更好|就好了|会好|會好|更轻松|更輕鬆|更幸福|更开心|更開心)|(?:不该|不應該|不应该)(?:活|出生)|[没沒]有?活下去的(?:理由|勇气|勇氣|意义|意義|动力|動力)/u,
  /\bsuicid(?:e|al)\b|\bself[- ]?harm(?:ing|ed)?\b|\bunalive\b|\b(?:imma|gonna|ill|will|wanna|want to|might|should) kms\b/iu,
  /\b(?:kill|hurt|harm|cut|end)(?:ing)? my ?self\b(?![- ](?:doubt|esteem|confidence|respect|image|worth|control|discipline|service))|\b(?:end|ending) it all\b|\b(?:end|ending|take|taking) my (?:own )?life\b|\b(?:hang|drown|shoot)(?:ing)? my ?self\b|\bslit(?:ting)? my wrists?\b|\bjump(?:ing)? off (?:a|the) (?:bridge|building|roof)\b/iu,
  /\b(?:want to|wanna|wish to|rather|ready to|like i (?:want to|wanna)) (?:die|be dead|disappear forever)\b|\b(?:im|i am) (?:going|about|ready) to die tonight\b|\bfeel like dying\b|\b(?:sleep|bed) and not waking up\b|\bwish i could (?:just )?(?:die|disappear)\b|\bwish i (?:was|were) (?:dead|never born)\b|\bwish i(?:d| had) never been born\b/iu,
  /\b(?:better off (?:dead|without me)|no reason to (?:live|go on)|nothing (?:left )?to live for|(?:life is(?:nt| not)|not) worth living|no point (?:in|to|of) (?:living|life|going on|being alive)|(?:tired|sick) of (?:living|life|being alive)|give up on (?:my )?life|if i (?:died|were dead|was dead|were gone|was gone))\b/iu,
  /(?:^|[.,;!?\n] ?|\bi (?:\w+ ){0,2}?)(?:cant|cannot|can not) (?:go on(?! (?:a|an|the|vacation|holiday|this|that|my|your|with|to|strike|leave|tour|air|stage|about|for)\b)|live (?:any ?more|like this|in this world|with (?:this|the) (?:pain|shame|guilt))|be here any ?more)/iu,
  /\b(?:dont want to|do not want to|dont wanna|no longer want to) (?:go on(?! (?:a|an|the|vacation|holiday|this|that|my|your|with|to|strike|leave|tour|air|stage|about|for)\b)|be alive|exist|be here any ?more|live(?![- ](?:in|with|at|on|near|here|there|by|under|next|far|off|together|alone|without|up|to|stream\w*|chat|demo|code|updates?|edit)\b)|live (?:in this world|on this (?:earth|planet)|with (?:this|the) (?:pain|shame|guilt))|wake up(?! (?:early|late|at|before|so|to|in)))/iu,
]

const OVERDOSE: readonly RegExp[] = [
  /[吃吞服](?:了|下|掉|完)+[^，。！？\n]{0,6}(?:(?:整|半|一|[两兩二三四五六七八九十]|\d+)[整大]?[瓶把板盒罐]|\d{2,}\s*[片颗顆粒])[^，。！？\n]{0,6}(?:[药藥](?![酒膳])|安眠|安定|片)(?![^。！？\n]{0,8}(?:[没沒]好|不[见見]好|[没沒]用))/u,
  /[喝吞服吃](?:了|下|掉)+[^，。！？\n]{0,6}(?:农药|農藥|百草枯|敌敌畏|敵敵畏|消毒水|洗衣液|毒药|毒藥|老鼠药|老鼠藥|漂白)|[药藥]吃多了|(?:服|吃)[药藥](?:过|過)量|(?:过|過)量(?:服|吃)了?/u,
  /\b(?:took|taken|swallowed|ate|downed) (?:\w+ ){0,2}?(?:all (?:of )?(?:my|the|his|her|these)|an? (?:whole|entire|full) (?:bottle|pack|packet|box|strip) of|(?:the|an?|my) bottle of|a handful of|too many|\d{2,}|\w+ty) (?:\w+ ){0,3}?(?:pills?|tablets?|meds|medicines?|medication|tylenol|paracetamol|ibuprofen|aspirin|xanax|valium|antidepressants?|acetaminophen|advil|benadryl)\b(?! (?:as (?:prescribed|usual|directed|told)|on time|today|this morning))/iu,
  /\b(?:i|ive|she|he|my \w+)(?: (?:have|has|just|think i))* overdosed\b|\b(?:took|taken) an overdose\b|\b(?:drank|swallowed) (?:\w+ ){0,2}?(?:bleach|poison|antifreeze|pesticide|rat poison)\b/iu,
]

const CLOSE =
  '(?:[他她]|老公|丈夫|老婆|妻子|[男女]朋友|[男女]友|前夫|前妻|[对對]象|爸爸?|[妈媽][妈媽]?|父[亲親]|母[亲親]|[继繼]父|[继繼]母|后爸|后妈|後爸|後媽|哥哥?|叔叔?|舅舅?|[爷爺][爷爺]|奶奶|老[师師]|教[练練]|家里人|家裡人|家人)'
const KIN =
  '(?:dad|father|daddy|mom|mum|mother|parents?|step ?\\w+|husband|wife|boyfriend|girlfriend|bf|gf|partner|ex|brother|sister|uncle|aunt|grand\\w+|coach|teacher|roommate)'
/** Continuations after which the phrase means a game, a joke or a phone call. */
const MILD =
  '(?! (?:up(?! again)|at (?!home|night)|in (?:chess|tennis|cards|a game|the race)|to (?:it|the)|by \\d|with (?:a|the) (?:idea|question)))'

const VIOLENCE: readonly RegExp[] = [
  new RegExp(
    `${CLOSE}[^，。！？\\n]{0,6}(?:打我|揍我|踢我|掐我|砍我|扇我|家暴|打[骂罵]我|虐待我|[动動]手打|要[杀殺]了?我|性侵|强奸|強姦|猥[亵褻]|摸我(?:下面|私[处處]|胸))(?!的?(?:电话|電話|手机|手機|微信|座机|主意|小报告|分|折|游戏|遊戲))`,
    'u',
  ),
  /(?:被|遭|遭到)[^，。！？\n]{0,5}(?:家暴|毒打|殴打|毆打|虐待|性侵|强奸|強姦|强暴|強暴|猥亵|猥褻|打[伤傷了得](?![折分包断斷乱亂动動开開]))|怕(?:他|她|被|爸|妈|媽)[^，。！？\n]{0,2}打(?!电话|電話|扰|擾|断|斷)/u,
  new RegExp(
    `\\b(?:(?:my|our) (?:\\w+ )?${KIN}|he|she) (?:\\w+ ){0,2}?(?:hits?|beats?|punch(?:es|ed)?|kicks?|kicked|slaps?|slapped|chok(?:es|ed)|strangl(?:es|ed)|abus(?:es|ed)|rap(?:es|ed)|molest(?:s|ed)|threatens? to kill|threatened to kill|physically hurts?) (?:me|us)\\b${MILD}`,
    'iu',
  ),
  new RegExp(
    `\\b(?:my (?:\\w+ )?${KIN}|he|she) keeps? (?:hitting|beating|touching|kicking|slapping|punching) (?:me|us)\\b`,
    'iu',
  ),
  new RegExp(`\\bmy ${KIN} (?:hurts|touches) me\\b(?! (?:with|when (?:he|she) (?:says|leaves)))`, 'iu'),
  /\b(?:i am|im|i was|ive been|i have been|i got|i keep) (?:being |getting )?(?:abused|raped|molested|beaten(?: up)?(?! (?:at|in|by \d))|sexually (?:abused|assaulted))\b|\bvictim of (?:domestic|sexual) (?:violence|abuse)\b|\bafraid to go home\b|\bsomeone is hurting me\b/iu,
]

/**
 * Phrases that only look like one of these: 想死你了 means "I miss you so". They are taken out before anything is looked
 * for.
 */
const HARMLESS: readonly RegExp[] = [
  /想死(?:你|您|他|她|大家|[妈媽][妈媽]?|爸爸?|[爷爺][爷爺]|奶奶|老家|家)|(?:笑|累|困|忙|饿|餓|热|熱|冷|气|氣|烦|煩|急|羡慕|羨慕|开心|開心|高兴|高興|好吃|可爱|可愛|尴尬|尷尬)(?:[得到]?要?|[得到]想)死/gu,
  /自[杀殺](?:式|率|小[队隊]|突[击擊]|事件|案件|案|新[闻聞]|研究|统计|統計|数据|數據|(?:预防|預防|干预|干預)(?![^，。]{0,6}(?:热线|熱線|电话|電話)))|(?:公司|店|生意|项目|項目|餐厅|餐廳|饭馆|飯館|工厂|工廠|企业|企業|团队|團隊|市场|市場)[^，。！？,.!?]{0,8}(?:撑|撐|熬|扛|活)不下去/gu,
  /\b(?:kill(?:s|ing|ed)? (?:it|time)|to die for|suicide (?:squad|doors?|rates?|statistics|bomb\w*|awareness|vest|prevention(?! (?:hotline|helpline|line|number)))|(?:political|career|social|commercial|financial) suicide)\b/giu,
  /\b(?:die (?:laughing|of (?:laughter|boredom|embarrassment|curiosity|heat|hunger|cold|thirst|shame|cringe|happiness|joy)|trying|hard|from (?:laughing|embarrassment))|dying (?:of|to|for)|rather die than|(?:shoot|shooting) myself in the foot|drown(?:ing)? myself in (?:work|homework|books)|(?:cut|hurt) myself (?:shaving|cooking|while|at (?:the gym|work)|playing|running|by accident|accidentally|a (?:slice|piece)|some|short|off|loose))\b/giu,
]

/** In a game, no person is hurt. */
const GAME =
  /游戏|遊戲|王者|排位|副本|乒乓|羽毛球|网球|網球|篮球|籃球|拳击|拳擊|\b(?:game|chess|tennis|ping ?pong|boxing|match|round)\b/iu

/**
 * Detects the danger that a message mentions. It errs on the side of care: a false alarm is only a kind sentence
 * and a number.
 */
export function detectDanger(words: string): Danger | undefined {
  const plain = words
    .normalize('NFKC')
    .replaceAll(/[’‘'`´]/gu, '')
    .replaceAll(/(?<=\p{Script=Han})[ \t]+(?=\p{Script=Han})/gu, '')
  const remaining = HARMLESS.reduce((rest, phrase) => rest.replaceAll(phrase, ' '), plain)
  const has = (signs: readonly RegExp[]): boolean => signs.some((sign) => sign.test(remaining))
  if (has(OVERDOSE)) return 'overdose'
  if (has(VIOLENCE) && !GAME.test(remaining)) return 'violence'
  return has(SELF_HARM) ? 'self-harm' : undefined
}

export function isCrisis(words: string): boolean {
  return detectDanger(words) !== undefined
}
