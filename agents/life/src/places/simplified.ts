import { once } from 'dragoman/async'

/** Traditional characters that names of places have, each before its simplified one: not all that there are. */
const PAIRS = `
  臺台 灣湾 廣广 東东 紐纽 約约 倫伦 漢汉 陽阳 陰阴 濟济 寧宁 蘇苏 蘭兰 貴贵 慶庆 雲云
  蕭萧 島岛 廈厦 門门 長长 開开 無无 錫锡 鎮镇 鄭郑 瀋沈 遼辽 撫抚 錦锦 營营 鐵铁 嶺岭
  蘆芦 龍龙 齊齐 爾尔 濱滨 雞鸡 鶴鹤 崗岗 雙双 鴨鸭 賓宾 興兴 義义 舊旧 華华 莊庄 縣县
  區区 鄉乡 邁迈 馬马 鎖锁 張张 遠远 連连 鹽盐 揚扬 衛卫 壽寿 應应 豐丰 樂乐 贛赣 餘余
  韓韩 國国 灤滦 邊边 綏绥 達达 烏乌 魯鲁 圖图 薩萨 諾诺 維维 納纳 倉仓 瀘泸 綿绵 資资
  廬庐 閩闽 潁颍 許许 靈灵 渦涡 靜静 晉晋 臨临 呂吕 滄沧 滬沪 徑径 隴陇 慄栗 銅铜 貢贡
  內内 眾众 羅罗 聖圣 亞亚 諸诸 溫温 紹绍 麗丽 麼么 澤泽 薊蓟 鳳凤 荊荆 黃黄 鹹咸 隨随
  婁娄 懷怀 嶽岳 頭头 瓊琼 檳槟 橫横 戶户 岡冈 聯联 頓顿 費费 奧奥 際际 羣群 賽赛 圍围
  灘滩 淺浅 滿满 瑯琅 豬猪 壢坜 蓮莲 麥麦 鎳镍 陸陆 樹树 貝贝 歐欧 盧卢 榮荣 勝胜 萊莱
  陝陕 鄧邓 鄒邹 鞏巩 濰潍 棗枣 棲栖 寶宝 漵溆 漣涟 瀏浏 灕漓 賀贺 欽钦 潯浔 畢毕 節节
  昇升 騰腾 衝冲 傑杰 疊叠 於于 闐阗 偉伟 親亲 壩坝 綠绿 裡里 裏里 個个 紅红 鳥鸟 廳厅
  堯尧 備备 熱热 賴赖 錢钱 盤盘 筆笔 莖茎 葉叶 蕪芜 蘄蕲 轄辖 農农 運运 選选 關关 雋隽
  電电 頂顶 魚鱼 鷹鹰 黨党 龜龟
`

const pairs = once(
  (): ReadonlyMap<string, string> =>
    new Map(
      PAIRS.trim()
        .split(/\s+/)
        .map((pair) => [pair.slice(0, 1), pair.slice(1)]),
    ),
)

/** A place's name as the mainland writes it. */
export function simplified(name: string): string {
  return name.replaceAll(/\p{Script=Han}/gu, (character) => pairs().get(character) ?? character)
}
