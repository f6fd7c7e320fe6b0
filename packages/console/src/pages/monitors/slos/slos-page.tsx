import { shownState, useMonitors, useMonitorStatus } from '../../../data/alerts.js';
import { attainedText, rateText, type Slo, useSloBudget, useSlos } from '../../../data/alerting/slos.js';
import { queryParam, textParam } from '../../../data/url-params.js';
import { useUrlState } from '../../../data/use-url-state.js';
import { BudgetBar } from '../../../widgets/budget-bar.js';
import { Chip } from '../../../widgets/chip.js';
import { DataTable } from '../../../widgets/data-table.js';
import { RecordPage } from '../../../widgets/record-page.js';
import styles from '../monitors.module.css';
import { SloDrawer } from './slo-drawer.js';

const params = { id: queryParam(textParam()), sort: textParam('name') };
const create = { org: 'monitors', action: 'create' } as const;

/** Objectives and the rest of their error budgets. */
export function SlosPage() {
  const [{ id, sort }, change] = useUrlState(params);
  const slos = useSlos();
  const monitors = useMonitors().data ?? [];
  const states = new Map((useMonitorStatus().data ?? []).map((each) => [each.id, shownState(each)]));
  const open = slos.data?.find((each) => each.id === id);
  const countFiring = ({ id: sloId }: Slo): number =>
    monitors.filter((monitor) => monitor.sloId === sloId && states.get(monitor.id) === 'open').length;
  return (
    <RecordPage
      title="SLOs"
      noun="an SLO"
      records={slos}
      isEmpty={({ length }) => length === 0}
      about="An SLO says how many events have to be good, such as 99.9% of requests in 30 days. Its alerts fire when the error budget burns too fast."
      needs={create}
      onNew={() => change({ id: 'new' })}
      overlay={
        (id === 'new' || open !== undefined) && <SloDrawer key={id} slo={open} onClose={() => change({ id: '' })} />
      }
    >
      {(data) => (
        <DataTable
          label="SLOs"
          items={data}
          idOf={(each) => each.id}
          sort={sort}
          onSort={(next) => change({ sort: next })}
          onOpen={(each) => change({ id: each.id })}
          columns={[
            {
              id: 'state',
              title: 'Alerts',
              by: (each) => -countFiring(each),
              cell: (each) => (countFiring(each) > 0 ? <Chip tone="bad">Burning</Chip> : <Chip tone="good">OK</Chip>),
            },
            {
              id: 'name',
              title: 'Name',
              isName: true,
              by: ({ name }) => name,
              cell: ({ name, objective, windowDays }) => (
                <span className={styles.name}>
                  <span className={styles.clamp}>{name}</span>
                  <span className={styles.condition}>
                    {objective}% good over {windowDays} d
                  </span>
                </span>
              ),
            },
            { id: 'budget', title: 'Budget left', cell: (each) => <BudgetLeft slo={each} /> },
            { id: 'rate', title: 'Burn rate, 1 h', align: 'end', aside: true, cell: (each) => <Rate slo={each} /> },
            {
              id: 'attained',
              title: 'Good',
              align: 'end',
              aside: true,
              cell: (each) => <AttainedPercent slo={each} />,
            },
          ]}
        />
      )}
    </RecordPage>
  );
}

function BudgetLeft({ slo }: { readonly slo: Slo }) {
  const { data, error } = useSloBudget(slo);
  if (error !== null) return <span className={styles.none}>cannot be counted</span>;
  return data === undefined ? <span className={styles.none}>counting…</span> : <BudgetBar budget={data} />;
}

function Rate({ slo }: { readonly slo: Slo }) {
  const rate = useSloBudget(slo).data?.burnRates.find(({ minutes }) => minutes === 60)?.rate;
  return rate === undefined ? '–' : <span className={rate > 1 ? styles.alert : undefined}>{rateText(rate)}</span>;
}

function AttainedPercent({ slo }: { readonly slo: Slo }) {
  const attained = useSloBudget(slo).data?.attained;
  return attained === undefined ? '–' : attainedText(attained);
}
