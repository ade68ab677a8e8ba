-- A transaction sees the rows of the tenant that it names, and none if it names none; '*' sees what
-- belongs to no tenant and the names of all, but no content. It holds for the owner of the tables too.
DO $$
DECLARE
  name TEXT;
  named CONSTANT TEXT := 'current_setting(''contexture.tenant'', true)';
BEGIN
  FOR name IN SELECT c.relname FROM pg_class c
      WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p')
        AND EXISTS (SELECT 1 FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'tenant')
  LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY of_tenant ON %I USING (tenant = ' || named || ')', name);
  END LOOP;
  FOREACH name IN ARRAY ARRAY['scopes', 'outbox', 'erasures']
  LOOP
    EXECUTE format('CREATE POLICY of_all ON %I FOR SELECT USING (' || named || ' = ''*'')', name);
  END LOOP;
  ALTER TABLE secrets ENABLE ROW LEVEL SECURITY;
  ALTER TABLE secrets FORCE ROW LEVEL SECURITY;
  EXECUTE 'CREATE POLICY of_all ON secrets USING (' || named || ' = ''*'')';
END
$$;
