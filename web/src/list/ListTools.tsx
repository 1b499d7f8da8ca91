// The tools of a list that wait for its rows: views, columns, export, and what drags and keys do at the head.
import { useState } from 'react'
import { shownColumns } from '../ui/DataTable.tsx'
import { Icon } from '../ui/Icon.tsx'
import { Menu } from '../ui/Menu.tsx'
import { splitOff } from '../ui/split-off.tsx'
import { t } from '../ui/text.ts'
import { CellModeButton } from './CellModeButton.tsx'
import { ColumnChooser } from './ColumnChooser.tsx'
import type { ExportFormat } from './ExportDialog.tsx'
import { HeadTools } from './HeadTools.tsx'
import { changeState, type ListColumn } from './list.ts'
import type { ListModel } from './list-model.ts'
import { ViewsMenu } from './ViewsMenu.tsx'

const ExportDialog = splitOff(
  async () => (await import('./ExportDialog.tsx')).ExportDialog,
) as typeof import('./ExportDialog.tsx').ExportDialog

export function ListTools<Row>({ model }: { model: ListModel<Row> }) {
  const { list, state, show, columns, visible, choose, rows } = model
  const [format, setFormat] = useState<ExportFormat | null>(null)
  const shown = shownColumns(columns, visible) as readonly ListColumn<Row>[]
  const entries = visible ?? shown.map(({ key }) => key)
  const group = (groupName: string | undefined) => {
    const { gruppe: _, ...plain } = changeState(state, {})
    show(groupName === undefined ? plain : { ...plain, gruppe: groupName })
  }
  return (
    <>
      <ViewsMenu list={list} state={state} columns={entries} show={show} choose={choose} />
      <ColumnChooser
        columns={columns}
        entries={entries}
        isChosen={visible !== undefined}
        onChange={choose}
        groups={list.groups}
        grouped={state.gruppe}
        onGroup={group}
      />
      {list.cells && state.gruppe === undefined && <CellModeButton cells={list.cells} />}
      <HeadTools columns={columns} entries={entries} onChange={choose} />
      <ExportMenu onExport={setFormat} />
      {format && (
        <ExportDialog
          format={format}
          list={list}
          state={state}
          columns={shown}
          rows={rows.all}
          total={rows.total}
          onClose={() => setFormat(null)}
        />
      )}
    </>
  )
}

const ExportMenu = ({ onExport }: { onExport: (format: ExportFormat) => void }) => (
  <Menu
    label={t('Export')}
    align="end"
    trigger={
      <>
        <Icon name="download" />
        {t('Export')}
      </>
    }
    items={[
      { key: 'xlsx', label: t('Excel (XLSX)'), onSelect: () => onExport('xlsx') },
      { key: 'csv', label: t('CSV für Excel'), onSelect: () => onExport('csv') },
    ]}
  />
)
