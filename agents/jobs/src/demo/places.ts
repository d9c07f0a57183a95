/** Places that are known as such wherever they stand in a request. Any other one needs an "in" and a capital letter. */
const english = (
  'San Francisco|Bay Area|Silicon Valley|New York City|New York|Los Angeles|San Diego|Palo Alto|Mountain View|San Jose|' +
  'Seattle|Boston|Chicago|Austin|Denver|Atlanta|Toronto|Vancouver|London|Manchester|Dublin|Paris|Berlin|Munich|Hamburg|' +
  'Zurich|Vienna|Amsterdam|Madrid|Barcelona|Lisbon|Stockholm|Copenhagen|Warsaw|Prague|Singapore|Tokyo|Seoul|Sydney|' +
  'Melbourne|Bangalore|Hong Kong|Taipei|Beijing|Shanghai|Shenzhen|Hangzhou|Guangzhou|Chengdu|United States|' +
  'United Kingdom|Germany|France|Canada|Europe|China|Japan|California|NYC|SF|USA|US|UK|EU'
).split('|')

const chinese =
  '旧金山|三藩市|硅谷|纽约|洛杉矶|西雅图|波士顿|芝加哥|多伦多|温哥华|伦敦|柏林|巴黎|东京|首尔|新加坡|悉尼|美国|英国|德国|加拿大|日本|欧洲|加州|' +
  '北京|上海|广州|深圳|杭州|成都|南京|武汉|西安|苏州|重庆|天津|厦门|长沙|青岛|合肥|郑州|香港|台北|澳门'

const byName = new Map(english.map((place) => [place.toLowerCase(), place]))

// "us" and "sf" are words, too: what is only letters of an abbreviation has to be written in capitals.
const names = english.map((name) => (name === name.toUpperCase() ? name : anyCase(name))).join('|')

/** "in Austin, TX", "near the Bay Area", "在 San Francisco", "Berlin". */
const patterns = [
  new RegExp(
    `(?:\\b(?:[Bb]ased |[Ll]ocated )?(?:[Ii]n|[Nn]ear|[Aa]round) (?:the )?|在\\s*)?(?<![\\p{L}\\p{N}])(?<place>(?:${names})(?:, ?(?:[A-Z]{2}|${names}))?)(?![\\p{L}\\p{N}])`,
    'u',
  ),
  new RegExp(`在?(?<place>${chinese})(?:市|那边|这边|地区|附近)?`, 'u'),
  /\b(?:[Ii]n|[Nn]ear) (?:the )?(?<place>\p{Lu}\p{Ll}[\p{L}.'-]*(?: \p{Lu}\p{Ll}[\p{L}.'-]*)*(?:, ?\p{Lu}[\p{L}]+)?)/u,
  /在(?![线职读家校])(?<place>\p{Script=Han}{2,6}?)(?=的|找|搜|工作|上班|有没有|有什么|有哪些)/u,
]

/** What follows "in" with a capital letter and is a trade. */
const trades =
  /^(?:Java(?:Script)?|TypeScript|Python|Rust|Go(?:lang)?|Ruby|Scala|Kotlin|Swift|React|Node|Vue|Angular|Django|Finance|Marketing|Sales|Design|Engineering|Product|Data|Machine|Artificial|Software|Human|Customer|Security|Healthcare|Education)(?![\p{L}])/u

/** Finds a place in a text, and gives the text without it. Names are given as they are usually written. */
export function takePlace(text: string): { place: string | undefined; rest: string } {
  for (const pattern of patterns) {
    const match = pattern.exec(text)
    const place = match?.groups?.['place']?.replace(/[.'-]+$/, '')
    if (!match || place === undefined || trades.test(place)) continue
    const rest = `${text.slice(0, match.index)} ${text.slice(match.index + match[0].length)}`
    return { place: byName.get(place.toLowerCase()) ?? place, rest }
  }
  return { place: undefined, rest: text }
}

function anyCase(name: string): string {
  return name.replaceAll(/[a-z]/gi, (letter) => `[${letter.toUpperCase()}${letter.toLowerCase()}]`)
}
