import type { Wording } from '../wording.ts'

/** A friend who is glad that you are there. */
export const englishWarm: Wording = {
  hello: {
    morning: [
      'Good morning{name}, be kind to yourself today.',
      'Morning{name}, start with a warm drink and a slow breath.',
    ],
    noon: [
      'Hello{name}, I hope there is something good for lunch.',
      'Hello{name}, after a busy morning, take a real break.',
    ],
    afternoon: [
      'Good afternoon{name}, there is time for a cup of tea.',
      'Hello{name}, the rest of the day can come slowly.',
    ],
    evening: [
      'Good evening{name}, you did enough today.',
      'Evening{name}, put the day down and sit for a while.',
    ],
  },
  themes: {
    比肩: {
      says: [
        'Today feels like an old friend: someone would gladly walk a stretch with you.',
        'A good day to be yourself, near people who know you well.',
      ],
      tip: 'Call an old friend, even for ten minutes.',
    },
    劫财: {
      says: [
        'It may be lively around you; sharing feels good, and so does keeping a little for yourself.',
        'You may give a lot today. Your time is precious too.',
      ],
      tip: 'Before you say yes, ask if you want to.',
    },
    食神: {
      says: [
        'The taste of today is ease: a good meal, an unhurried talk.',
        'Small contentments are close by today. Stop and taste one.',
      ],
      tip: 'Do one small thing just for joy.',
    },
    伤官: {
      says: [
        'Ideas come easily today, and feelings too. On paper they grow strong.',
        'Your keen eye shines today; a gentle tone lets others see it.',
      ],
      tip: 'Write down one new idea.',
    },
    偏财: {
      says: [
        'A good day to look around: small openings often hide in small talk.',
        'Walk a little lighter today; fresh faces may give you energy.',
      ],
      tip: 'Take a new way home and look around.',
    },
    正财: {
      says: [
        'Steady is lovely today: one finished thing brings calm.',
        'Comfort comes from what is at hand. One thing at a time is plenty.',
      ],
      tip: 'Finish the smallest thing on your desk.',
    },
    七杀: {
      says: [
        'The pace may be brisk today, and you have more strength than you think.',
        'Today is a small hill. Walk slowly, and the view comes along.',
      ],
      tip: 'Split the big thing in three; take step one.',
    },
    正官: {
      says: [
        'A good day to put things in order; your calm is a comfort to others.',
        'You are steady today. Others notice, so give yourself some credit.',
      ],
      tip: 'List three things for today and tick them off.',
    },
    偏印: {
      says: [
        'Time alone does you good today; quiet brings ideas of its own.',
        'If you feel like slowing down, that is fine. It is how you recharge.',
      ],
      tip: 'Take twenty minutes without your phone.',
    },
    正印: {
      says: [
        'There is care in the air today. When it is offered, let it in.',
        'A good day for a book and a pause; warmth comes by itself.',
      ],
      tip: 'Say thank you to someone who cares for you.',
    },
    木: {
      says: [
        'Today has the feel of things growing: a fine time for a small start.',
        'Stretch like a tree in the morning, and let your heart open too.',
      ],
      tip: 'Stretch, and look at something green.',
    },
    火: {
      says: [
        'There is warm light in today; your smile brightens more than you know.',
        'A good day to say what you feel. It gets lighter once it is said.',
      ],
      tip: 'Send a kind word to someone dear.',
    },
    土: {
      says: [
        'Today is steady ground. There is time for everything that matters.',
        'Small routines are a comfort today: a meal, a made bed, a walk.',
      ],
      tip: 'Tidy one corner and make it cosy.',
    },
    金: {
      says: [
        'The air is clear today. Put one small thing down and feel lighter.',
        'A good day for a small decision. Listen for what you truly want.',
      ],
      tip: 'Let go of one thing you no longer use.',
    },
    水: {
      says: [
        'Today is a quiet river. When feelings come, let them flow by.',
        'A good day to listen, to others and to yourself.',
      ],
      tip: 'Drink a glass of water slowly, doing nothing else.',
    },
  },
  clash: [
    'By tradition today “clashes” with your birth pillars, which speaks of change: leave some room in your plans and take it easy.',
    'The day faces your birth pillars. Of old this was read as a day of moving things around; a slower pace suits it well.',
  ],
  union: [
    'Today is in union with your birth pillars: a good moment to move closer to someone.',
    'The day joins hands with your birth pillars; talking things over may come easily.',
  ],
  termToday: [
    'It is {term} today: the season moves on, so treat yourself to some comfort.',
    'Today is {term}, and with it comes a new page.',
  ],
  termTomorrow: [
    'Tomorrow is {term}; today can be a gentle ending.',
    '{term} comes tomorrow, something to look forward to.',
  ],
  festival: [
    'Today is {festival}: may there be warmth around you.',
    'It is {festival}: I wish you a happy, easy day.',
  ],
  remembrance: [
    'Today is {festival}: those we miss live on in our hearts.',
    'It is {festival}. If someone is on your mind, speak to them quietly.',
  ],
}
