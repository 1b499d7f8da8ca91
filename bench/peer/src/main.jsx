// The list of customers as a team would build it with react-admin: server-side search, sorting and paging on
// the same data API, 25 rows.
import { Admin, Datagrid, List, Resource, SearchInput, TextField } from 'react-admin'
import { createRoot } from 'react-dom/client'

const COLUMNS = 'client_id,name,strasse,plz,ort,bundesland,epsg,ap_nachname'
const SORTED = { id: 'client_id', name: 'sortname', ort: 'sortort' }

const dataProvider = {
  async getList(resource, { pagination, sort, filter, signal }) {
    const query = new URLSearchParams({
      select: COLUMNS,
      order: `${SORTED[sort.field] ?? sort.field}.${sort.order.toLowerCase()}`,
      limit: String(pagination.perPage),
      offset: String((pagination.page - 1) * pagination.perPage),
    })
    if (filter.q) query.set('suchtext', `like.*${filter.q.toLowerCase()}*`)
    const answer = await fetch(`/rest/${resource}?${query}`, {
      headers: { authorization: `Bearer ${localStorage.getItem('Admin-Token')}`, prefer: 'count=exact' },
      signal,
    })
    const rows = await answer.json()
    return {
      data: rows.map((row) => ({ id: row.client_id, ...row })),
      total: Number(answer.headers.get('content-range').split('/')[1]),
    }
  },
}

const filters = [<SearchInput key="q" source="q" alwaysOn />]
const Kunden = () => (
  <List filters={filters} perPage={25} sort={{ field: 'name', order: 'ASC' }} title="Kunden">
    <Datagrid bulkActionButtons={false} rowClick={false}>
      <TextField source="name" label="Name" />
      <TextField source="strasse" label="Straße" />
      <TextField source="plz" label="PLZ" />
      <TextField source="ort" label="Ort" />
      <TextField source="bundesland" label="Bundesland" />
      <TextField source="epsg" label="EPSG" />
      <TextField source="ap_nachname" label="Ansprechpartner" />
    </Datagrid>
  </List>
)

createRoot(document.getElementById('root')).render(
  <Admin dataProvider={dataProvider} disableTelemetry title="Kunden">
    <Resource name="kunde" list={Kunden} />
  </Admin>,
)
