// Cases of the dialect: embedded resources.
import type { DialectCase } from './dialect.fixture.ts'

type Given = readonly (readonly [path: string, answer: unknown])[]

const EMBEDS: Given = [
  // To one, to many, one to one, many to many.
  ['/hut?select=name,region(name)&id=eq.1', [{ name: 'Alm', region: { name: 'Tyrol' } }]],
  ['/tour?select=id,a:tour_start(name)&id=eq.4', [{ id: 4, a: null }]],
  [
    '/region?select=name,hut(name)&id=in.(1,2)&order=id&hut.order=id',
    [
      { name: 'Alps', hut: [] },
      { name: 'Tyrol', hut: [{ name: 'Alm' }, { name: 'Berg' }] },
    ],
  ],
  [
    '/hut?select=id,warden(name)&id=in.(2,3)&order=id',
    [
      { id: 2, warden: { name: 'Sepp' } },
      { id: 3, warden: null },
    ],
  ],
  ['/warden?select=name,hut(name)&hut_id=eq.1', [{ name: 'Resi', hut: { name: 'Alm' } }]],
  [
    '/tour?select=title,guide(name)&id=eq.1&guide.order=id',
    [{ title: 'Round', guide: [{ name: 'Ada' }, { name: 'Bo' }] }],
  ],
  [
    '/guide?select=name,tour(title)&id=eq.1&tour.order=id',
    [{ name: 'Ada', tour: [{ title: 'Round' }, { title: 'Ridge' }] }],
  ],
  [
    '/photo?select=id,stage(title)&id=in.(3,4)&order=id',
    [
      { id: 3, stage: { title: 'Climb' } },
      { id: 4, stage: null },
    ],
  ],
  [
    '/stage?select=title,photo(id)&tour_id=eq.1&nr=eq.1&photo.order=id',
    [{ title: 'Up', photo: [{ id: 1 }, { id: 2 }] }],
  ],
  ['/hut?select=id,r:region(*)&id=eq.4', [{ id: 4, r: { id: 4, name: 'Harz', parent_id: null } }]],
  // Named by constraint, column, hint.
  [
    '/tour?select=id,tour_start(name),tour_goal(name)&id=eq.2',
    [{ id: 2, tour_start: { name: 'Alm' }, tour_goal: { name: 'Berg' } }],
  ],
  [
    '/tour?select=id,start_id(name),goal:goal_id(name)&id=eq.2',
    [{ id: 2, start_id: { name: 'Alm' }, goal: { name: 'Berg' } }],
  ],
  ['/tour?select=id,hut!tour_goal(name)&id=eq.2', [{ id: 2, hut: { name: 'Berg' } }]],
  [
    '/tour?select=a:hut!start_id(name),b:hut!goal_id(name)&id=eq.2',
    [{ a: { name: 'Alm' }, b: { name: 'Berg' } }],
  ],
  ['/hut?select=tour!tour_start(id)&id=eq.1&tour.order=id', [{ tour: [{ id: 1 }, { id: 2 }] }]],
  ['/hut?select=tour!goal_id(id)&id=eq.1', [{ tour: [{ id: 1 }] }]],
  ['/hut?select=region!region_id(name)&id=eq.1', [{ region: { name: 'Tyrol' } }]],
  ['/hut?select=region!hut_region_id_fkey(name)&id=eq.1', [{ region: { name: 'Tyrol' } }]],
  ['/hut?select=hut_region_id_fkey(name)&id=eq.1', [{ hut_region_id_fkey: { name: 'Tyrol' } }]],
  ['/tour?select=guide!tour_guide(name)&id=eq.3', [{ guide: [{ name: 'Cy' }] }]],
  // Itself.
  [
    '/region?select=name,region(name)&id=eq.1&region.order=id',
    [{ name: 'Alps', region: [{ name: 'Tyrol' }, { name: 'Uri' }] }],
  ],
  ['/region?select=name,parent_id(name)&id=eq.2', [{ name: 'Tyrol', parent_id: { name: 'Alps' } }]],
  ['/region?select=up:parent_id(name),down:region(id)&id=eq.1', [{ up: null, down: [{ id: 2 }, { id: 3 }] }]],
  ['/region?select=down:region!parent_id(id)&id=eq.1&down.order=id', [{ down: [{ id: 2 }, { id: 3 }] }]],
  ['/guide?select=friend!friend_guide_id_fkey(friend_id)&id=eq.1', [{ friend: [{ friend_id: 2 }] }]],
  ['/guide?select=id,guide!friend_friend_id_fkey(name)&id=eq.1', [{ id: 1, guide: [{ name: 'Bo' }] }]],
  // Views: by the keys of the tables behind them.
  ['/hut_list?select=name,region(name)&id=eq.1', [{ name: 'Alm', region: { name: 'Tyrol' } }]],
  ['/hut_list?select=name,warden(name)&id=eq.1', [{ name: 'Alm', warden: { name: 'Resi' } }]],
  ['/region?select=hut_list(name)&id=eq.4', [{ hut_list: [{ name: 'Dorf, "alt"' }] }]],
  [
    '/high_hut?select=name,region(name),warden(name)&hut_id=eq.2',
    [{ name: 'Berg', region: { name: 'Tyrol' }, warden: { name: 'Sepp' } }],
  ],
  ['/region?select=high_hut(name)&id=eq.3', [{ high_hut: [{ name: 'Carl' }] }]],
  ['/warden?select=high_hut(height)&hut_id=eq.2', [{ high_hut: { height: 2100 } }]],
  ['/crew?select=name,hut(name)&id=eq.1', [{ name: 'Toni', hut: { name: 'Alm' } }]],
  ['/crew?select=name,works_at(name)&id=eq.1', [{ name: 'Toni', works_at: { name: 'Alm' } }]],
  ['/crew?select=hut!crew_works_at(name)&id=eq.1', [{ hut: { name: 'Alm' } }]],
  ['/hut?select=crew(name)&id=eq.2', [{ crew: [{ name: 'Vroni' }] }]],
  ['/crew?select=name,hut_list(name)&id=eq.2', [{ name: 'Vroni', hut_list: { name: 'Berg' } }]],
  [
    '/crew?select=name,tour(title)&id=eq.2&tour.order=id',
    [{ name: 'Vroni', tour: [{ title: 'Round' }, { title: 'Ridge' }] }],
  ],
  ['/tour?select=crew(name)&id=eq.1&crew.order=id', [{ crew: [{ name: 'Toni' }, { name: 'Vroni' }] }]],
  [
    '/shift?select=crew(name),tour(title)&crew_id=eq.1',
    [{ crew: { name: 'Toni' }, tour: { title: 'Round' } }],
  ],
  ['/region_sum?select=huts,hut(id)&region_id=eq.2&hut.order=id', [{ huts: 2, hut: [{ id: 1 }, { id: 2 }] }]],
  ['/hut?select=id,region_sum(huts)&id=eq.3', [{ id: 3, region_sum: { huts: 1 } }]],
  [
    '/odd_list?select="odd } name",region(name)&"the {id"=eq.1',
    [{ 'odd } name': 'Alm', region: { name: 'Tyrol' } }],
  ],
  ['/odd_list?select=warden(name)&"the {id"=eq.2', [{ warden: { name: 'Sepp' } }]],
  ['/deep_list?select=starts,region(name)&id=eq.1', [{ starts: 2, region: { name: 'Tyrol' } }]],
  // Computed relations.
  [
    '/hut?select=id,neighbours(id)&id=in.(1,4)&order=id',
    [
      { id: 1, neighbours: [{ id: 2 }] },
      { id: 4, neighbours: [] },
    ],
  ],
  ['/tour?select=id,start_hut(name,label)&id=eq.1', [{ id: 1, start_hut: { name: 'Alm', label: 'Alm 1' } }]],
  ['/warden?select=name,region(name)&hut_id=eq.2', [{ name: 'Sepp', region: { name: 'Tyrol' } }]],
  [
    '/hut?select=near:neighbours(id,region(name))&id=eq.1',
    [{ near: [{ id: 2, region: { name: 'Tyrol' } }] }],
  ],
  [
    '/hut?select=id,neighbours!inner(id)&order=id',
    [
      { id: 1, neighbours: [{ id: 2 }] },
      { id: 2, neighbours: [{ id: 1 }] },
    ],
  ],
  // Functions.
  ['/rpc/huts_in?region=2&select=name,region(name)&id=eq.1', [{ name: 'Alm', region: { name: 'Tyrol' } }]],
  [
    '/rpc/huts_in?region=2&select=id,label,neighbours(id)&order=label.desc',
    [
      { id: 2, label: 'Berg 2', neighbours: [{ id: 1 }] },
      { id: 1, label: 'Alm 1', neighbours: [{ id: 2 }] },
    ],
  ],
  // A domain over a row is that row.
  ['/rpc/first_hut?select=id,region(name)', { id: 1, region: { name: 'Tyrol' } }],
  ['/rpc/first_hut?select=name,label', { name: 'Alm', label: 'Alm 1' }],
  [
    '/rpc/high_rows?select=id,region(name)&order=id.desc',
    [
      { id: 3, region: { name: 'Uri' } },
      { id: 2, region: { name: 'Tyrol' } },
    ],
  ],
  ['/rpc/high_rows?select=name&id=eq.3', [{ name: 'Carl' }]],
  ['/tour?select=id,goal_row(name)&id=eq.2', [{ id: 2, goal_row: { name: 'Berg' } }]],
  ['/tour?select=id,...goal_row(goal:name)&id=eq.2', [{ id: 2, goal: 'Berg' }]],
  ['/rpc/highest?select=name,warden(name)', { name: 'Berg', warden: { name: 'Sepp' } }],
  ['/rpc/huts_in?region=2&select=id&tag_count=eq.1', [{ id: 2 }]],
  ['/rpc/spans?n=3&select=word&id=gt.1&order=id.desc', [{ word: 'w3' }, { word: 'w2' }]],
  // Nested.
  [
    '/tour?select=title,tour_start(name,region(name))&id=eq.1',
    [{ title: 'Round', tour_start: { name: 'Alm', region: { name: 'Tyrol' } } }],
  ],
  [
    '/region?select=name,hut(name,warden(name))&id=eq.2&hut.order=id',
    [
      {
        name: 'Tyrol',
        hut: [
          { name: 'Alm', warden: { name: 'Resi' } },
          { name: 'Berg', warden: { name: 'Sepp' } },
        ],
      },
    ],
  ],
  [
    '/guide?select=name,tour_guide(role,tour(title))&id=eq.2',
    [{ name: 'Bo', tour_guide: [{ role: 'help', tour: { title: 'Round' } }] }],
  ],
  [
    '/region?select=a:region(b:hut(c:tour!tour_start(d:guide(e:tour_guide(role)))))&id=eq.1&a.id=eq.2&a.b.id=eq.2',
    [{ a: [{ b: [{ c: [{ d: [{ e: [{ role: 'lead' }] }] }] }] }] }],
  ],
  [
    '/warden?select=hut(region(up:parent_id(name)))&hut_id=eq.1',
    [{ hut: { region: { up: { name: 'Alps' } } } }],
  ],
  // Filtered, ordered and cut.
  [
    '/tour?select=id,stage(nr)&stage.nr=gt.1&id=in.(1,3)&order=id',
    [
      { id: 1, stage: [{ nr: 2 }] },
      { id: 3, stage: [] },
    ],
  ],
  ['/tour?select=id,stage(nr)&stage.order=nr.desc&id=eq.1', [{ id: 1, stage: [{ nr: 2 }, { nr: 1 }] }]],
  [
    '/tour?select=id,stage(nr)&stage.order=nr&stage.limit=1&stage.offset=1&id=eq.1',
    [{ id: 1, stage: [{ nr: 2 }] }],
  ],
  [
    '/tour?select=id,s:stage(nr)&s.or=(nr.eq.2,minutes.eq.90)&s.order=nr&id=eq.1',
    [{ id: 1, s: [{ nr: 1 }, { nr: 2 }] }],
  ],
  ['/tour?select=id,s:stage(nr)&s.not.and=(nr.eq.2,minutes.eq.60)&id=eq.1', [{ id: 1, s: [{ nr: 1 }] }]],
  ['/tour?select=id,s:stage(nr)&stage.nr=eq.2&id=eq.1', [{ id: 1, s: [{ nr: 2 }] }]],
  [
    '/tour?select=id,one:stage(nr),two:stage(nr)&one.nr=eq.1&two.nr=eq.2&id=eq.1',
    [{ id: 1, one: [{ nr: 1 }], two: [{ nr: 2 }] }],
  ],
  [
    '/region?select=id,hut(id,warden(name))&hut.warden.name=eq.Resi&hut.order=id&id=eq.2',
    [
      {
        id: 2,
        hut: [
          { id: 1, warden: { name: 'Resi' } },
          { id: 2, warden: null },
        ],
      },
    ],
  ],
  ['/region?select=id,hut(id)&hut.extra->host->>name=eq.Sepp&id=eq.2', [{ id: 2, hut: [{ id: 2 }] }]],
  ['/region?select=hut(id)&hut.order=extra->>stars.desc&id=eq.2', [{ hut: [{ id: 1 }, { id: 2 }] }]],
  ['/region?select=hut(label)&hut.label=like.B*&id=eq.2', [{ hut: [{ label: 'Berg 2' }] }]],
  [
    '/region?select=hut(stars:extra->>stars,beds::text)&hut.order=id&hut.limit=1&id=eq.2',
    [{ hut: [{ stars: '3', beds: '10' }] }],
  ],
  ['/tour?select=guide(name)&guide.order=name.desc&guide.limit=1&id=eq.1', [{ guide: [{ name: 'Bo' }] }]],
  // Inner and left.
  [
    '/tour?select=id,stage!inner(nr)&order=id&stage.nr=eq.1',
    [
      { id: 1, stage: [{ nr: 1 }] },
      { id: 2, stage: [{ nr: 1 }] },
    ],
  ],
  ['/tour?select=id,stage!inner()&order=id', [{ id: 1 }, { id: 2 }]],
  ['/hut?select=id,warden!inner(name)&warden.name=eq.Sepp', [{ id: 2, warden: { name: 'Sepp' } }]],
  ['/hut?select=id,warden!left(name)&id=eq.3', [{ id: 3, warden: null }]],
  [
    '/tour?select=id,hut!tour_goal!inner(name)&order=id',
    [
      { id: 1, hut: { name: 'Alm' } },
      { id: 2, hut: { name: 'Berg' } },
      { id: 3, hut: { name: 'Carl' } },
    ],
  ],
  ['/tour?select=id,hut!inner!tour_goal(name)&hut.name=eq.Carl', [{ id: 3, hut: { name: 'Carl' } }]],
  [
    '/region?select=id,hut!inner(id,warden!inner(name))&hut.warden.name=eq.Sepp',
    [{ id: 2, hut: [{ id: 2, warden: { name: 'Sepp' } }] }],
  ],
  ['/region?select=id,hut!inner(warden!inner())&order=id', [{ id: 2 }]],
  [
    '/region?select=id,hut(id,warden!inner())&hut.order=id&id=in.(2,3)&order=id',
    [
      { id: 2, hut: [{ id: 1 }, { id: 2 }] },
      { id: 3, hut: [] },
    ],
  ],
  ['/guide?select=id,tour!inner(id)&tour.level=eq.3', [{ id: 1, tour: [{ id: 2 }] }]],
  // Whether there is one.
  [
    '/hut?select=id,warden(name)&warden=is.null&order=id',
    [
      { id: 3, warden: null },
      { id: 4, warden: null },
    ],
  ],
  ['/hut?select=id,warden()&warden=not.is.null&order=id', [{ id: 1 }, { id: 2 }]],
  ['/hut?select=id,warden()&warden=is.not_null&order=id', [{ id: 1 }, { id: 2 }]],
  ['/tour?select=id,stage()&stage=is.null&order=id', [{ id: 3 }, { id: 4 }]],
  ['/tour?select=id,stage()&stage.minutes=gt.100&stage=not.is.null', [{ id: 2 }]],
  ['/tour?select=id,guide()&guide.name=eq.Bo&guide=is.null&order=id', [{ id: 2 }, { id: 3 }, { id: 4 }]],
  [
    '/hut?select=id,warden(),crew()&or=(warden.not.is.null,crew.not.is.null)' +
      '&warden.name=eq.Resi&crew.name=eq.Vroni&order=id',
    [{ id: 1 }, { id: 2 }],
  ],
  ['/hut?select=id,warden()&or=(warden.is.null,id.eq.1)&order=id', [{ id: 1 }, { id: 3 }, { id: 4 }]],
  ['/hut?select=id,warden()&not.or=(warden.is.null,id.eq.1)', [{ id: 2 }]],
  [
    '/hut?select=id,w:warden(),warden(name)&w=not.is.null&w.name=eq.Sepp',
    [{ id: 2, warden: { name: 'Sepp' } }],
  ],
  [
    '/region?select=id,hut(id,warden())&hut.warden=is.null&order=id&id=gt.2',
    [
      { id: 3, hut: [{ id: 3 }] },
      { id: 4, hut: [{ id: 4 }] },
    ],
  ],
  ['/hut?select=id,neighbours()&neighbours=is.null&order=id', [{ id: 3 }, { id: 4 }]],
  // Ordered by a column of the other.
  [
    '/hut?select=id,region(name)&order=region(name).desc,id.desc',
    [
      { id: 3, region: { name: 'Uri' } },
      { id: 2, region: { name: 'Tyrol' } },
      { id: 1, region: { name: 'Tyrol' } },
      { id: 4, region: { name: 'Harz' } },
    ],
  ],
  [
    '/hut?select=id,warden()&order=warden(name).desc.nullslast,id',
    [{ id: 2 }, { id: 1 }, { id: 3 }, { id: 4 }],
  ],
  [
    '/tour?select=id,s:tour_start()&order=s(extra->>stars).nullsfirst,id',
    [{ id: 4 }, { id: 3 }, { id: 1 }, { id: 2 }],
  ],
  [
    '/tour?select=id,s:tour_start()&order=s(label).desc.nullslast,id',
    [{ id: 3 }, { id: 1 }, { id: 2 }, { id: 4 }],
  ],
  ['/region?select=hut(id,warden())&hut.order=warden(name).desc&id=eq.2', [{ hut: [{ id: 2 }, { id: 1 }] }]],
  ['/tour?select=id,start_hut()&order=start_hut(height).desc.nullslast,id&limit=1', [{ id: 3 }]],
  // Row security holds on every level.
  ['/hut?select=id,diary(text)&id=eq.1', [{ id: 1, diary: [{ text: 'mine' }] }]],
  ['/hut?select=id,diary!inner()&order=id', [{ id: 1 }]],
  [
    '/region?select=hut(id,...diary(said:text))&id=eq.2&hut.order=id',
    [
      {
        hut: [
          { id: 1, said: ['mine'] },
          { id: 2, said: [] },
        ],
      },
    ],
  ],
  ['/warden?select=hut(diary(owner))&hut_id=eq.1', [{ hut: { diary: [{ owner: 'u1' }] } }]],
  ['/hut?select=diary(count())&id=eq.1', [{ diary: [{ count: 1 }] }]],
  ['/tour?select=id,s:tour_start(diary())&s.diary=is.null&id=eq.3', [{ id: 3 }]],
]

export const EMBED_CASES: readonly DialectCase[] = EMBEDS.map(([path, answer]) => ({
  name: path,
  path,
  status: 200,
  answer,
}))
