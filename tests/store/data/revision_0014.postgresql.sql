CREATE TABLE alembic_version (
    version_num character varying(32) NOT NULL
);
CREATE TABLE audit (
    id integer NOT NULL,
    at timestamp with time zone NOT NULL,
    person_id integer,
    address character varying(45),
    request_id character varying(32),
    action character varying(40) NOT NULL,
    subject text,
    detail json NOT NULL
);
CREATE SEQUENCE audit_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE audit_id_seq OWNED BY audit.id;
CREATE TABLE breaker (
    call_group character varying(10) NOT NULL,
    failures integer NOT NULL,
    failing_since timestamp with time zone,
    recent json NOT NULL,
    cause character varying(40),
    opened_at timestamp with time zone,
    until timestamp with time zone
);
CREATE TABLE call_budget (
    name character varying(20) NOT NULL,
    used_until timestamp with time zone NOT NULL
);
CREATE TABLE call_count (
    day character varying(10) NOT NULL,
    call_group character varying(10) NOT NULL,
    calls integer NOT NULL,
    refused_after integer,
    refused_at timestamp with time zone,
    ask_again_at timestamp with time zone
);
CREATE TABLE challan (
    id integer NOT NULL,
    rc character varying(20) NOT NULL,
    "position" integer NOT NULL,
    listed boolean NOT NULL,
    mark character varying(8),
    changes json NOT NULL,
    challan_id character varying(36),
    challan_no text,
    status text,
    challan_amount character varying(40),
    total_amount character varying(40),
    challan_date timestamp with time zone,
    state text,
    challan_type text,
    challan_place text,
    offense_details text,
    payment_link_id character varying(36),
    link_status text,
    link_url text,
    link_total character varying(40),
    prepaid boolean,
    gaps json NOT NULL
);
CREATE SEQUENCE challan_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE challan_id_seq OWNED BY challan.id;
CREATE TABLE claim (
    id integer NOT NULL,
    challan_id character varying(36) NOT NULL,
    intent_id character varying(36) NOT NULL,
    link_id character varying(36),
    claimed_at timestamp with time zone NOT NULL,
    released_at timestamp with time zone,
    why text
);
CREATE SEQUENCE claim_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE claim_id_seq OWNED BY claim.id;
CREATE TABLE draft (
    person_id integer NOT NULL,
    rc character varying(20) NOT NULL,
    challan_ids json NOT NULL,
    hours character varying(12) NOT NULL,
    saved_at timestamp with time zone NOT NULL
);
CREATE TABLE driver (
    id integer NOT NULL,
    name character varying(100) NOT NULL,
    phone character varying(20),
    email character varying(254),
    language character varying(5) NOT NULL,
    note text,
    added_at timestamp with time zone NOT NULL,
    added_by integer NOT NULL,
    gone_at timestamp with time zone
);
CREATE SEQUENCE driver_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE driver_id_seq OWNED BY driver.id;
CREATE TABLE driver_vehicle (
    driver_id integer NOT NULL,
    rc character varying(20) NOT NULL
);
CREATE TABLE finding (
    id integer NOT NULL,
    link_id character varying(36) NOT NULL,
    kind character varying(12) NOT NULL,
    facts json NOT NULL,
    version integer NOT NULL,
    found_at timestamp with time zone NOT NULL,
    gone_at timestamp with time zone,
    seen_at timestamp with time zone,
    seen_by integer,
    note text
);
CREATE SEQUENCE finding_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE finding_id_seq OWNED BY finding.id;
CREATE TABLE follow_up (
    link_id character varying(36) NOT NULL,
    snoozed_until timestamp with time zone NOT NULL,
    snoozed_by integer NOT NULL,
    snoozed_at timestamp with time zone NOT NULL
);
CREATE TABLE intent (
    id character varying(36) NOT NULL,
    request_key character varying(64) NOT NULL,
    person_id integer NOT NULL,
    organization_id character varying(36),
    rc character varying(20) NOT NULL,
    challan_ids json NOT NULL,
    hours integer NOT NULL,
    state character varying(16) NOT NULL,
    state_since timestamp with time zone NOT NULL,
    sends integer NOT NULL,
    prepared_at timestamp with time zone NOT NULL,
    send_started timestamp with time zone,
    send_ended timestamp with time zone,
    lease_until timestamp with time zone,
    http_status integer,
    outcome character varying(40),
    negatives integer NOT NULL,
    last_negative_at timestamp with time zone,
    looks integer NOT NULL,
    last_look_at timestamp with time zone,
    look_failed_at timestamp with time zone,
    look_failure character varying(40),
    next_check_at timestamp with time zone,
    looking_until timestamp with time zone,
    link_id character varying(36),
    attribution character varying(8),
    replaces character varying(36),
    set_aside_at timestamp with time zone,
    set_aside_by integer,
    set_aside_why text,
    CONSTRAINT ck_intent_one_send CHECK ((sends <= 1))
);
CREATE TABLE intent_event (
    id integer NOT NULL,
    intent_id character varying(36) NOT NULL,
    at timestamp with time zone NOT NULL,
    old character varying(16),
    new character varying(16) NOT NULL,
    detail text
);
CREATE SEQUENCE intent_event_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE intent_event_id_seq OWNED BY intent_event.id;
CREATE TABLE kept_post (
    key character varying(43) NOT NULL,
    person_id integer,
    path text NOT NULL,
    endpoint character varying(100) NOT NULL,
    view_args json NOT NULL,
    fields json NOT NULL,
    created_at timestamp with time zone NOT NULL
);
CREATE TABLE latch (
    scope character varying(40) NOT NULL,
    since timestamp with time zone NOT NULL,
    until timestamp with time zone NOT NULL,
    tries integer NOT NULL,
    fingerprint character varying(64)
);
CREATE TABLE link (
    id character varying(36) NOT NULL,
    rc character varying(20),
    status text NOT NULL,
    status_since timestamp with time zone NOT NULL,
    payment_url text,
    expires_at timestamp with time zone,
    paid_at timestamp with time zone,
    organization_id character varying(36),
    amount json,
    modes json NOT NULL,
    total character varying(40),
    detailed boolean NOT NULL,
    origin character varying(12) NOT NULL,
    intent_id character varying(36),
    person_id integer,
    created_at timestamp with time zone,
    hours integer,
    first_seen_at timestamp with time zone NOT NULL,
    checked_at timestamp with time zone,
    failed_at timestamp with time zone,
    failure character varying(40),
    clock_ahead integer,
    looked_at timestamp with time zone,
    next_check_at timestamp with time zone,
    lease_until timestamp with time zone,
    version integer NOT NULL,
    rc_rank character varying(20) DEFAULT ''::character varying NOT NULL,
    ends_rank timestamp with time zone DEFAULT '9999-12-31 00:00:00+00'::timestamp with time zone NOT NULL,
    amount_rank double precision DEFAULT '-1'::integer NOT NULL,
    failures integer,
    saving character varying(40)
);
CREATE TABLE link_challan (
    link_id character varying(36) NOT NULL,
    challan_id character varying(36) NOT NULL,
    "position" integer NOT NULL,
    challan_no text,
    rc_number text,
    status text,
    challan_type text,
    state text,
    challan_amount character varying(40),
    legal_fee character varying(40),
    total_amount character varying(40)
);
CREATE TABLE link_event (
    id integer NOT NULL,
    link_id character varying(36) NOT NULL,
    at timestamp with time zone NOT NULL,
    kind character varying(20) NOT NULL,
    person_id integer,
    old text,
    new text
);
CREATE SEQUENCE link_event_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE link_event_id_seq OWNED BY link_event.id;
CREATE TABLE link_seen (
    person_id integer NOT NULL,
    link_id character varying(36) NOT NULL,
    at timestamp with time zone NOT NULL
);
CREATE TABLE lookup (
    name character varying(20) NOT NULL,
    fetched_at timestamp with time zone NOT NULL,
    rows json NOT NULL
);
CREATE TABLE message_template (
    language character varying(5) NOT NULL,
    body text NOT NULL,
    written_at timestamp with time zone NOT NULL,
    written_by integer NOT NULL
);
CREATE TABLE organization (
    id character varying(36) NOT NULL,
    name text NOT NULL,
    learned_at timestamp with time zone NOT NULL
);
CREATE TABLE own_field (
    kind character varying(8) NOT NULL,
    ref character varying(36) NOT NULL,
    cost_centre character varying(60),
    trip character varying(60),
    customer character varying(100),
    note text,
    written_at timestamp with time zone NOT NULL,
    written_by integer NOT NULL
);
CREATE TABLE person (
    id integer NOT NULL,
    email character varying(254) NOT NULL,
    email_key character varying(254) NOT NULL,
    name character varying(100) NOT NULL,
    role character varying(10) NOT NULL,
    password_hash text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    disabled_at timestamp with time zone,
    CONSTRAINT ck_person_role CHECK (((role)::text = ANY ((ARRAY['staff'::character varying, 'manager'::character varying, 'admin'::character varying])::text[])))
);
CREATE TABLE person_count (
    person_id integer NOT NULL,
    hour timestamp with time zone NOT NULL,
    searches integer NOT NULL
);
CREATE SEQUENCE person_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE person_id_seq OWNED BY person.id;
CREATE TABLE person_seen (
    person_id integer NOT NULL,
    paid_until timestamp with time zone,
    notify boolean NOT NULL
);
CREATE TABLE refresh (
    rc character varying(20) NOT NULL,
    person_id integer,
    lease_until timestamp with time zone NOT NULL
);
CREATE TABLE saved_view (
    id integer NOT NULL,
    person_id integer NOT NULL,
    name character varying(60) NOT NULL,
    query text NOT NULL,
    saved_at timestamp with time zone NOT NULL
);
CREATE SEQUENCE saved_view_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE saved_view_id_seq OWNED BY saved_view.id;
CREATE TABLE search_attempt (
    person_id integer NOT NULL,
    rc character varying(20) NOT NULL,
    attempt integer NOT NULL,
    total integer NOT NULL,
    failure character varying(40) NOT NULL,
    at timestamp with time zone NOT NULL
);
CREATE TABLE settlement (
    link_id character varying(36) NOT NULL,
    rc character varying(20),
    state character varying(8) NOT NULL,
    since timestamp with time zone NOT NULL,
    entered_at timestamp with time zone NOT NULL,
    due_at timestamp with time zone,
    tries integer NOT NULL,
    seen_at timestamp with time zone,
    raw json,
    ended_at timestamp with time zone,
    failures integer NOT NULL,
    failed_at timestamp with time zone,
    failure character varying(40)
);
CREATE TABLE share (
    id integer NOT NULL,
    link_id character varying(36) NOT NULL,
    driver_id integer,
    channel character varying(10) NOT NULL,
    language character varying(5),
    person_id integer NOT NULL,
    at timestamp with time zone NOT NULL
);
CREATE SEQUENCE share_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE share_id_seq OWNED BY share.id;
CREATE TABLE sign_in (
    id integer NOT NULL,
    token_hash character varying(64) NOT NULL,
    person_id integer NOT NULL,
    created_at timestamp with time zone NOT NULL,
    last_used_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone,
    why character varying(20),
    address character varying(45) NOT NULL,
    user_agent character varying(200) NOT NULL
);
CREATE TABLE sign_in_failure (
    key character varying(64) NOT NULL,
    failures integer NOT NULL,
    last_at timestamp with time zone NOT NULL
);
CREATE SEQUENCE sign_in_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE sign_in_id_seq OWNED BY sign_in.id;
CREATE TABLE vehicle (
    rc character varying(20) NOT NULL,
    car_id character varying(36),
    first_searched_at timestamp with time zone NOT NULL,
    searched_at timestamp with time zone NOT NULL,
    searched_by integer,
    compared_with timestamp with time zone,
    new_count integer,
    unreadable integer NOT NULL,
    failed_at timestamp with time zone,
    failure character varying(40)
);
ALTER TABLE ONLY audit ALTER COLUMN id SET DEFAULT nextval('audit_id_seq'::regclass);
ALTER TABLE ONLY challan ALTER COLUMN id SET DEFAULT nextval('challan_id_seq'::regclass);
ALTER TABLE ONLY claim ALTER COLUMN id SET DEFAULT nextval('claim_id_seq'::regclass);
ALTER TABLE ONLY driver ALTER COLUMN id SET DEFAULT nextval('driver_id_seq'::regclass);
ALTER TABLE ONLY finding ALTER COLUMN id SET DEFAULT nextval('finding_id_seq'::regclass);
ALTER TABLE ONLY intent_event ALTER COLUMN id SET DEFAULT nextval('intent_event_id_seq'::regclass);
ALTER TABLE ONLY link_event ALTER COLUMN id SET DEFAULT nextval('link_event_id_seq'::regclass);
ALTER TABLE ONLY person ALTER COLUMN id SET DEFAULT nextval('person_id_seq'::regclass);
ALTER TABLE ONLY saved_view ALTER COLUMN id SET DEFAULT nextval('saved_view_id_seq'::regclass);
ALTER TABLE ONLY share ALTER COLUMN id SET DEFAULT nextval('share_id_seq'::regclass);
ALTER TABLE ONLY sign_in ALTER COLUMN id SET DEFAULT nextval('sign_in_id_seq'::regclass);
INSERT INTO alembic_version VALUES ('0014');
INSERT INTO audit VALUES (1, '2026-11-22 06:42:25.202423+00', NULL, 'command line', NULL, 'person added', 'asha@example.com', '{"role": "staff"}');
INSERT INTO audit VALUES (2, '2026-11-22 06:42:25.202423+00', 1, '127.0.0.1', '8663dbb3692792da', 'signed in', 'asha@example.com', '{}');
INSERT INTO audit VALUES (3, '2026-11-22 06:42:25.202423+00', 1, '127.0.0.1', 'b4da6982d1e25ef1', 'search', 'MH12AB1001', '{}');
INSERT INTO audit VALUES (4, '2026-11-22 06:42:25.202423+00', 1, '127.0.0.1', '157586c8ddee4288', 'create', 'MH12AB1001', '{"request": "91f041c1-1c86-4ded-9d60-e8b4f4fdebb7", "challans": 2, "hours": 72}');
INSERT INTO audit VALUES (5, '2026-11-22 06:42:25.202423+00', NULL, 'command line', NULL, 'person added', 'meera@example.com', '{"role": "manager"}');
INSERT INTO audit VALUES (6, '2026-11-22 06:42:25.202423+00', NULL, 'command line', NULL, 'person added', 'admin@example.com', '{"role": "admin"}');
INSERT INTO audit VALUES (7, '2026-11-22 06:42:25.202423+00', 1, '127.0.0.1', '5817dadac921719c', 'search', 'KA01AB2002', '{}');
INSERT INTO audit VALUES (8, '2026-11-22 06:42:25.202423+00', 1, '127.0.0.1', '9f9dd95c47c41d69', 'create', 'KA01AB2002', '{"request": "108f3542-98ae-47c7-a2da-e7e64305d35c", "challans": 2, "hours": 48}');
INSERT INTO audit VALUES (9, '2026-11-22 06:42:25.202423+00', 1, '127.0.0.1', '5440d0d59b2093a2', 'create', 'KA01AB2002', '{"request": "58f4d146-3e3a-45cd-b754-ea7aef07c6c2", "challans": 1, "hours": 48}');
INSERT INTO audit VALUES (10, '2026-11-22 06:42:25.202423+00', 1, '127.0.0.1', 'f82d675c6a1867ca', 'driver added', '1', '{"name": "Lakshmi"}');
INSERT INTO breaker VALUES ('create', 0, NULL, '[[1795329745.202423, true], [1795329745.202423, false], [1795329745.202423, false]]', 'Unreachable', NULL, NULL);
INSERT INTO call_budget VALUES ('background', '2026-11-22 06:45:44.302423+00');
INSERT INTO call_count VALUES ('2026-11-22', 'search', 3, NULL, NULL, NULL);
INSERT INTO challan VALUES (6, 'KA01AB2002', 0, true, NULL, '[]', '2b93fa43-4ed3-4fca-b583-ab74c9603b73', 'KA101', 'PENDING', '500', '559', '2026-08-01 08:00:00+00', 'Maharashtra', 'ONLINE', 'Sion circle, Mumbai', 'No parking, Sec 122 r/w 177 MV Act', NULL, NULL, NULL, NULL, false, '[]');
INSERT INTO challan VALUES (7, 'KA01AB2002', 1, true, NULL, '[]', '80b57400-2d41-41f8-bcc8-d99c48aa8c03', 'KA102', 'PENDING', '500', '559', '2026-07-01 08:00:00+00', 'Maharashtra', 'ONLINE', 'Sion circle, Mumbai', 'No parking, Sec 122 r/w 177 MV Act', NULL, NULL, NULL, NULL, false, '[]');
INSERT INTO challan VALUES (8, 'KA01AB2002', 2, true, NULL, '[]', 'eea4a98b-9397-4fee-a497-c687b75e76ce', 'KA103', 'PENDING', '500', '559', '2026-06-01 08:00:00+00', 'Maharashtra', 'ONLINE', 'Sion circle, Mumbai', 'No parking, Sec 122 r/w 177 MV Act', NULL, NULL, NULL, NULL, false, '[]');
INSERT INTO challan VALUES (9, 'KA01AB2002', 3, true, NULL, '[]', 'e38de072-30e9-4b7e-86e2-1e7b1dba6990', 'KA104', 'PENDING', '500', '559', '2026-05-01 08:00:00+00', 'Maharashtra', 'ONLINE', 'Sion circle, Mumbai', 'No parking, Sec 122 r/w 177 MV Act', NULL, NULL, NULL, NULL, false, '[]');
INSERT INTO challan VALUES (10, 'KA01AB2002', 4, true, NULL, '[]', '97695a03-fc8a-4c85-87f1-95512983c4e9', 'KA105', 'PENDING', '500', '559', '2026-04-01 08:00:00+00', 'Maharashtra', 'ONLINE', 'Sion circle, Mumbai', 'No parking, Sec 122 r/w 177 MV Act', NULL, NULL, NULL, NULL, false, '[]');
INSERT INTO challan VALUES (11, 'MH12AB1001', 0, true, NULL, '[]', '1ba86101-b8af-461c-80e9-84de4ad48d19', 'MH1001', 'PENDING', '500', '559', '2026-08-01 08:00:00+00', 'Maharashtra', 'ONLINE', 'Sion circle, Mumbai', 'No parking, Sec 122 r/w 177 MV Act', '33cd494f-d411-44bd-8734-aedb76023500', 'ACTIVE', 'http://127.0.0.1:42929/prepaid-payment/4tpiakOMN62z1X_Be-u_WLzrlmDIJ8jQ', '1118', true, '[]');
INSERT INTO challan VALUES (12, 'MH12AB1001', 1, true, NULL, '[]', '50f4fb93-fb54-4862-ad71-8105f1359fb4', 'MH1002', 'PENDING', '500', '559', '2026-07-01 08:00:00+00', 'Maharashtra', 'ONLINE', 'Sion circle, Mumbai', 'No parking, Sec 122 r/w 177 MV Act', '33cd494f-d411-44bd-8734-aedb76023500', 'ACTIVE', 'http://127.0.0.1:42929/prepaid-payment/4tpiakOMN62z1X_Be-u_WLzrlmDIJ8jQ', '1118', true, '[]');
INSERT INTO challan VALUES (13, 'MH12AB1001', 2, true, NULL, '[]', 'e64cf9aa-e4f4-4dea-8b11-dfd69a28383f', 'MH1003', 'PENDING', '500', '559', '2026-06-01 08:00:00+00', 'Maharashtra', 'ONLINE', 'Sion circle, Mumbai', 'No parking, Sec 122 r/w 177 MV Act', NULL, NULL, NULL, NULL, false, '[]');
INSERT INTO challan VALUES (14, 'MH12AB1001', 3, true, NULL, '[]', '008c2381-25a1-443c-914f-e0d495a5d794', 'MH1004', 'PENDING', '500', '559', '2026-05-01 08:00:00+00', 'Maharashtra', 'ONLINE', 'Sion circle, Mumbai', 'No parking, Sec 122 r/w 177 MV Act', NULL, NULL, NULL, NULL, false, '[]');
INSERT INTO challan VALUES (15, 'MH12AB1001', 4, true, NULL, '[]', '4e6cb18d-f489-4b07-9487-c7c0b35cdf21', 'MH1005', 'PENDING', '500', '559', '2026-04-01 08:00:00+00', 'Maharashtra', 'ONLINE', 'Sion circle, Mumbai', 'No parking, Sec 122 r/w 177 MV Act', NULL, NULL, NULL, NULL, false, '[]');
INSERT INTO claim VALUES (1, '1ba86101-b8af-461c-80e9-84de4ad48d19', '91f041c1-1c86-4ded-9d60-e8b4f4fdebb7', '33cd494f-d411-44bd-8734-aedb76023500', '2026-11-22 06:42:25.202423+00', NULL, NULL);
INSERT INTO claim VALUES (2, '50f4fb93-fb54-4862-ad71-8105f1359fb4', '91f041c1-1c86-4ded-9d60-e8b4f4fdebb7', '33cd494f-d411-44bd-8734-aedb76023500', '2026-11-22 06:42:25.202423+00', NULL, NULL);
INSERT INTO claim VALUES (3, '2b93fa43-4ed3-4fca-b583-ab74c9603b73', '108f3542-98ae-47c7-a2da-e7e64305d35c', '78ace79a-3071-459b-862c-c438545beeae', '2026-11-22 06:42:25.202423+00', NULL, NULL);
INSERT INTO claim VALUES (4, '80b57400-2d41-41f8-bcc8-d99c48aa8c03', '108f3542-98ae-47c7-a2da-e7e64305d35c', '78ace79a-3071-459b-862c-c438545beeae', '2026-11-22 06:42:25.202423+00', NULL, NULL);
INSERT INTO claim VALUES (5, 'eea4a98b-9397-4fee-a497-c687b75e76ce', '58f4d146-3e3a-45cd-b754-ea7aef07c6c2', '8937dd04-44fc-458f-8815-6611332f31d1', '2026-11-22 06:42:25.202423+00', NULL, NULL);
INSERT INTO draft VALUES (1, 'MH12AB1001', '["1ba86101-b8af-461c-80e9-84de4ad48d19", "50f4fb93-fb54-4862-ad71-8105f1359fb4"]', '72', '2026-11-22 06:42:25.202423+00');
INSERT INTO driver VALUES (1, 'Lakshmi', '98765 43210', NULL, 'en', NULL, '2026-11-22 06:42:25.202423+00', 1, NULL);
INSERT INTO driver_vehicle VALUES (1, 'KA01AB2002');
INSERT INTO finding VALUES (1, '8937dd04-44fc-458f-8815-6611332f31d1', 'kind-1', '{}', 1, '2026-11-21 09:01:00+00', '2026-11-21 09:01:00+00', '2026-11-21 09:01:00+00', 3, 'note-1');
INSERT INTO follow_up VALUES ('8937dd04-44fc-458f-8815-6611332f31d1', '2026-11-21 09:01:00+00', 3, '2026-11-21 09:01:00+00');
INSERT INTO intent VALUES ('91f041c1-1c86-4ded-9d60-e8b4f4fdebb7', 'cfd87374bd9cd20e53c84744d05b89be', 1, NULL, 'MH12AB1001', '["1ba86101-b8af-461c-80e9-84de4ad48d19", "50f4fb93-fb54-4862-ad71-8105f1359fb4"]', 72, 'RECOVERED', '2026-11-22 06:45:45.202423+00', 1, '2026-11-22 06:42:25.202423+00', '2026-11-22 06:42:25.202423+00', '2026-11-22 06:42:25.202423+00', '2026-11-22 06:42:42.202423+00', NULL, 'Unreachable', 0, NULL, 0, NULL, NULL, NULL, NULL, NULL, '33cd494f-d411-44bd-8734-aedb76023500', 'inferred', NULL, NULL, NULL, NULL);
INSERT INTO intent VALUES ('108f3542-98ae-47c7-a2da-e7e64305d35c', '94c93d224a8ea611963ff6c81cfee8f4', 1, '89fed078-2406-5f43-823a-91465ed740a0', 'KA01AB2002', '["2b93fa43-4ed3-4fca-b583-ab74c9603b73", "80b57400-2d41-41f8-bcc8-d99c48aa8c03"]', 48, 'CREATED', '2026-11-22 06:42:25.202423+00', 1, '2026-11-22 06:42:25.202423+00', '2026-11-22 06:42:25.202423+00', '2026-11-22 06:42:25.202423+00', '2026-11-22 06:42:42.202423+00', 200, NULL, 0, NULL, 0, NULL, NULL, NULL, NULL, NULL, '78ace79a-3071-459b-862c-c438545beeae', 'certain', NULL, NULL, NULL, NULL);
INSERT INTO intent VALUES ('58f4d146-3e3a-45cd-b754-ea7aef07c6c2', '80b881f6a0e5f96e58c4f8f87e2a37a6', 1, '89fed078-2406-5f43-823a-91465ed740a0', 'KA01AB2002', '["eea4a98b-9397-4fee-a497-c687b75e76ce"]', 48, 'CREATED', '2026-11-22 06:42:25.202423+00', 1, '2026-11-22 06:42:25.202423+00', '2026-11-22 06:42:25.202423+00', '2026-11-22 06:42:25.202423+00', '2026-11-22 06:42:42.202423+00', 200, NULL, 0, NULL, 0, NULL, NULL, NULL, NULL, NULL, '8937dd04-44fc-458f-8815-6611332f31d1', 'certain', NULL, NULL, NULL, NULL);
INSERT INTO intent_event VALUES (1, '91f041c1-1c86-4ded-9d60-e8b4f4fdebb7', '2026-11-22 06:42:25.202423+00', NULL, 'PREPARED', NULL);
INSERT INTO intent_event VALUES (2, '91f041c1-1c86-4ded-9d60-e8b4f4fdebb7', '2026-11-22 06:42:25.202423+00', 'PREPARED', 'SENDING', NULL);
INSERT INTO intent_event VALUES (3, '91f041c1-1c86-4ded-9d60-e8b4f4fdebb7', '2026-11-22 06:42:25.202423+00', 'SENDING', 'UNKNOWN', 'Unreachable');
INSERT INTO intent_event VALUES (4, '108f3542-98ae-47c7-a2da-e7e64305d35c', '2026-11-22 06:42:25.202423+00', NULL, 'PREPARED', NULL);
INSERT INTO intent_event VALUES (5, '108f3542-98ae-47c7-a2da-e7e64305d35c', '2026-11-22 06:42:25.202423+00', 'PREPARED', 'SENDING', NULL);
INSERT INTO intent_event VALUES (6, '108f3542-98ae-47c7-a2da-e7e64305d35c', '2026-11-22 06:42:25.202423+00', 'SENDING', 'CREATED', NULL);
INSERT INTO intent_event VALUES (7, '58f4d146-3e3a-45cd-b754-ea7aef07c6c2', '2026-11-22 06:42:25.202423+00', NULL, 'PREPARED', NULL);
INSERT INTO intent_event VALUES (8, '58f4d146-3e3a-45cd-b754-ea7aef07c6c2', '2026-11-22 06:42:25.202423+00', 'PREPARED', 'SENDING', NULL);
INSERT INTO intent_event VALUES (9, '58f4d146-3e3a-45cd-b754-ea7aef07c6c2', '2026-11-22 06:42:25.202423+00', 'SENDING', 'CREATED', NULL);
INSERT INTO intent_event VALUES (10, '91f041c1-1c86-4ded-9d60-e8b4f4fdebb7', '2026-11-22 06:45:45.202423+00', 'UNKNOWN', 'RECOVERED', NULL);
INSERT INTO kept_post VALUES ('key-1', 3, 'path-1', 'links.create', '{}', '{}', '2026-11-21 09:01:00+00');
INSERT INTO latch VALUES ('scope-1', '2026-11-21 09:01:00+00', '2026-11-21 09:01:00+00', 1, 'fingerprint-1');
INSERT INTO link VALUES ('78ace79a-3071-459b-862c-c438545beeae', 'KA01AB2002', 'PAID', '2026-11-22 06:42:25.202423+00', 'http://127.0.0.1:42929/prepaid-payment/_caEhmIXgCg_nuixR2586axngMJSJd6F', '2026-11-24 06:42:29.297+00', '2026-11-22 06:42:29.476+00', '89fed078-2406-5f43-823a-91465ed740a0', '{"base_amount": "1000", "legal_fee": "100", "gst": "18", "convenience_fee": "0", "total_amount": "1118", "payment_mode": null}', '[{"base_amount": "1000", "legal_fee": "100", "gst": "18", "convenience_fee": "0", "total_amount": "1118", "payment_mode": "UPI"}, {"base_amount": "1000", "legal_fee": "100", "gst": "18", "convenience_fee": "22.36", "total_amount": "1140.36", "payment_mode": "CREDIT_CARD"}]', '1118', true, 'created', '108f3542-98ae-47c7-a2da-e7e64305d35c', 1, '2026-11-22 06:42:25.202423+00', 48, '2026-11-22 06:42:25.202423+00', '2026-11-22 06:42:25.202423+00', NULL, NULL, 4, '2026-11-22 06:42:25.202423+00', NULL, NULL, 2, 'KA01AB2002', '2026-11-24 06:42:29.297+00', 1118, 0, '22.36');
INSERT INTO link VALUES ('8937dd04-44fc-458f-8815-6611332f31d1', 'KA01AB2002', 'ACTIVE', '2026-11-22 06:42:25.202423+00', 'http://127.0.0.1:42929/prepaid-payment/IMzCuD2dSQyy8KaZ_6dEgEjyqqdbzHc9', '2026-11-24 06:42:30.021+00', NULL, '89fed078-2406-5f43-823a-91465ed740a0', '{"base_amount": "500", "legal_fee": "50", "gst": "9", "convenience_fee": "0", "total_amount": "559", "payment_mode": null}', '[{"base_amount": "500", "legal_fee": "50", "gst": "9", "convenience_fee": "0", "total_amount": "559", "payment_mode": "UPI"}, {"base_amount": "500", "legal_fee": "50", "gst": "9", "convenience_fee": "11.18", "total_amount": "570.18", "payment_mode": "CREDIT_CARD"}]', '559', true, 'created', '58f4d146-3e3a-45cd-b754-ea7aef07c6c2', 1, '2026-11-22 06:42:25.202423+00', 48, '2026-11-22 06:42:25.202423+00', '2026-11-22 06:45:45.202423+00', NULL, NULL, -195, '2026-11-22 06:42:25.202423+00', '2026-11-22 06:46:01.619161+00', NULL, 2, 'KA01AB2002', '2026-11-24 06:42:30.021+00', 559, 0, '11.18');
INSERT INTO link VALUES ('33cd494f-d411-44bd-8734-aedb76023500', 'MH12AB1001', 'ACTIVE', '2026-11-22 06:45:45.202423+00', 'http://127.0.0.1:42929/prepaid-payment/4tpiakOMN62z1X_Be-u_WLzrlmDIJ8jQ', '2026-11-25 06:42:27.249+00', NULL, '89fed078-2406-5f43-823a-91465ed740a0', '{"base_amount": "1000", "legal_fee": "100", "gst": "18", "convenience_fee": "0", "total_amount": "1118", "payment_mode": null}', '[{"base_amount": "1000", "legal_fee": "100", "gst": "18", "convenience_fee": "0", "total_amount": "1118", "payment_mode": "UPI"}, {"base_amount": "1000", "legal_fee": "100", "gst": "18", "convenience_fee": "22.36", "total_amount": "1140.36", "payment_mode": "CREDIT_CARD"}]', '1118', true, 'recovered', '91f041c1-1c86-4ded-9d60-e8b4f4fdebb7', 1, '2026-11-22 06:42:25.202423+00', 72, '2026-11-22 06:45:45.202423+00', '2026-11-22 06:45:45.202423+00', NULL, NULL, -195, NULL, '2026-11-22 06:45:57.560753+00', NULL, 3, 'MH12AB1001', '2026-11-25 06:42:27.249+00', 1118, 0, '22.36');
INSERT INTO link_challan VALUES ('78ace79a-3071-459b-862c-c438545beeae', '2b93fa43-4ed3-4fca-b583-ab74c9603b73', 0, 'KA101', 'KA01AB2002', 'PENDING', 'ONLINE', 'Maharashtra', '500', '50', '559');
INSERT INTO link_challan VALUES ('78ace79a-3071-459b-862c-c438545beeae', '80b57400-2d41-41f8-bcc8-d99c48aa8c03', 1, 'KA102', 'KA01AB2002', 'PENDING', 'ONLINE', 'Maharashtra', '500', '50', '559');
INSERT INTO link_challan VALUES ('8937dd04-44fc-458f-8815-6611332f31d1', 'eea4a98b-9397-4fee-a497-c687b75e76ce', 0, 'KA103', 'KA01AB2002', 'PENDING', 'ONLINE', 'Maharashtra', '500', '50', '559');
INSERT INTO link_challan VALUES ('33cd494f-d411-44bd-8734-aedb76023500', '1ba86101-b8af-461c-80e9-84de4ad48d19', 0, 'MH1001', 'MH12AB1001', 'PENDING', 'ONLINE', 'Maharashtra', '500', '50', '559');
INSERT INTO link_challan VALUES ('33cd494f-d411-44bd-8734-aedb76023500', '50f4fb93-fb54-4862-ad71-8105f1359fb4', 1, 'MH1002', 'MH12AB1001', 'PENDING', 'ONLINE', 'Maharashtra', '500', '50', '559');
INSERT INTO link_event VALUES (1, '78ace79a-3071-459b-862c-c438545beeae', '2026-11-22 06:42:25.202423+00', 'observed', NULL, NULL, 'ACTIVE');
INSERT INTO link_event VALUES (2, '78ace79a-3071-459b-862c-c438545beeae', '2026-11-22 06:42:25.202423+00', 'created', 1, NULL, NULL);
INSERT INTO link_event VALUES (3, '78ace79a-3071-459b-862c-c438545beeae', '2026-11-22 06:42:25.202423+00', 'status', NULL, 'ACTIVE', 'PAID');
INSERT INTO link_event VALUES (4, '8937dd04-44fc-458f-8815-6611332f31d1', '2026-11-22 06:42:25.202423+00', 'observed', NULL, NULL, 'ACTIVE');
INSERT INTO link_event VALUES (5, '8937dd04-44fc-458f-8815-6611332f31d1', '2026-11-22 06:42:25.202423+00', 'created', 1, NULL, NULL);
INSERT INTO link_event VALUES (6, '33cd494f-d411-44bd-8734-aedb76023500', '2026-11-22 06:45:45.202423+00', 'observed', NULL, NULL, 'ACTIVE');
INSERT INTO link_event VALUES (7, '33cd494f-d411-44bd-8734-aedb76023500', '2026-11-22 06:45:45.202423+00', 'recovered', 1, NULL, NULL);
INSERT INTO link_seen VALUES (1, '78ace79a-3071-459b-862c-c438545beeae', '2026-11-22 06:42:25.202423+00');
INSERT INTO lookup VALUES ('name-1', '2026-11-21 09:01:00+00', '{}');
INSERT INTO message_template VALUES ('langu', 'body-1', '2026-11-21 09:01:00+00', 3);
INSERT INTO organization VALUES ('89fed078-2406-5f43-823a-91465ed740a0', 'Sahyadri Fleet Services Pvt Ltd', '2026-11-22 06:42:25.202423+00');
INSERT INTO own_field VALUES ('kind-1', 'ref-1', 'cost_centre-1', 'trip-1', 'customer-1', 'note-1', '2026-11-21 09:01:00+00', 3);
INSERT INTO person VALUES (1, 'asha@example.com', 'asha@example.com', 'Asha Rao', 'staff', '$argon2id$v=19$m=8,t=1,p=1$KubrqiydM0GB7hIwpfVBNQ$Is7Dd7LLDxNcF6eijoOIyrwM/W2TrepX26H9nH+39ic', '2026-11-22 06:42:25.202423+00', NULL);
INSERT INTO person VALUES (2, 'meera@example.com', 'meera@example.com', 'Meera Iyer', 'manager', '$argon2id$v=19$m=8,t=1,p=1$3K0Z4kb7LUc1jYJHt4G0SQ$iFVF+ZbHIJQBNOIAWPmlKvBdFqe9qMzINEC6bf/eT/E', '2026-11-22 06:42:25.202423+00', NULL);
INSERT INTO person VALUES (3, 'admin@example.com', 'admin@example.com', 'Arun Das', 'admin', '$argon2id$v=19$m=8,t=1,p=1$+l/Sl3a8AIdwV7Lj9HGyRg$HByJwSKOc7I6zemqtjxJcwp/Oz3t+hTnb00acn1gp8k', '2026-11-22 06:42:25.202423+00', NULL);
INSERT INTO person_count VALUES (1, '2026-11-22 06:30:00+00', 2);
INSERT INTO person_seen VALUES (3, '2026-11-21 09:01:00+00', true);
INSERT INTO refresh VALUES ('rc-1', 3, '2026-11-21 09:01:00+00');
INSERT INTO saved_view VALUES (1, 3, 'name-1', 'query-1', '2026-11-21 09:01:00+00');
INSERT INTO search_attempt VALUES (3, 'rc-1', 1, 1, 'AllowanceKept', '2026-11-21 09:01:00+00');
INSERT INTO settlement VALUES ('78ace79a-3071-459b-862c-c438545beeae', 'KA01AB2002', 'waiting', '2026-11-22 06:42:25.202423+00', '2026-11-22 06:42:25.202423+00', '2026-11-22 07:37:37.561297+00', 0, NULL, 'null', NULL, 0, NULL, NULL);
INSERT INTO share VALUES (1, '8937dd04-44fc-458f-8815-6611332f31d1', 1, 'channel-1', 'langu', 3, '2026-11-21 09:01:00+00');
INSERT INTO sign_in VALUES (1, '6ba515635824395d00ccc4ef7db89ce6037e530f5cfab1f484cb0ac9009271f3', 1, '2026-11-22 06:42:25.202423+00', '2026-11-22 06:45:45.202423+00', NULL, NULL, '127.0.0.1', 'Werkzeug/3.1.9');
INSERT INTO sign_in_failure VALUES ('5cb01652e9d4c3a822628b8cb5cad545ebe438dfbcb8533942aea3079556bb53', 0, '2026-11-22 06:42:25.202423+00');
INSERT INTO vehicle VALUES ('MH12AB1001', '5afdbae9-229c-4845-bffc-57d3957cccaf', '2026-11-22 06:42:25.202423+00', '2026-11-22 06:45:45.202423+00', NULL, '2026-11-22 06:42:25.202423+00', 0, 0, NULL, NULL);
INSERT INTO vehicle VALUES ('KA01AB2002', '74f4d5a3-c148-431a-b533-9e826df9419a', '2026-11-22 06:42:25.202423+00', '2026-11-22 06:42:25.202423+00', 1, NULL, 0, 0, NULL, NULL);
SELECT pg_catalog.setval('audit_id_seq', 1, false);
SELECT pg_catalog.setval('challan_id_seq', 1, false);
SELECT pg_catalog.setval('claim_id_seq', 1, false);
SELECT pg_catalog.setval('driver_id_seq', 1, false);
SELECT pg_catalog.setval('finding_id_seq', 1, false);
SELECT pg_catalog.setval('intent_event_id_seq', 1, false);
SELECT pg_catalog.setval('link_event_id_seq', 1, false);
SELECT pg_catalog.setval('person_id_seq', 1, false);
SELECT pg_catalog.setval('saved_view_id_seq', 1, false);
SELECT pg_catalog.setval('share_id_seq', 1, false);
SELECT pg_catalog.setval('sign_in_id_seq', 1, false);
ALTER TABLE ONLY alembic_version
    ADD CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num);
ALTER TABLE ONLY audit
    ADD CONSTRAINT pk_audit PRIMARY KEY (id);
ALTER TABLE ONLY breaker
    ADD CONSTRAINT pk_breaker PRIMARY KEY (call_group);
ALTER TABLE ONLY call_budget
    ADD CONSTRAINT pk_call_budget PRIMARY KEY (name);
ALTER TABLE ONLY call_count
    ADD CONSTRAINT pk_call_count PRIMARY KEY (day, call_group);
ALTER TABLE ONLY challan
    ADD CONSTRAINT pk_challan PRIMARY KEY (id);
ALTER TABLE ONLY claim
    ADD CONSTRAINT pk_claim PRIMARY KEY (id);
ALTER TABLE ONLY draft
    ADD CONSTRAINT pk_draft PRIMARY KEY (person_id, rc);
ALTER TABLE ONLY driver
    ADD CONSTRAINT pk_driver PRIMARY KEY (id);
ALTER TABLE ONLY driver_vehicle
    ADD CONSTRAINT pk_driver_vehicle PRIMARY KEY (driver_id, rc);
ALTER TABLE ONLY finding
    ADD CONSTRAINT pk_finding PRIMARY KEY (id);
ALTER TABLE ONLY follow_up
    ADD CONSTRAINT pk_follow_up PRIMARY KEY (link_id);
ALTER TABLE ONLY intent
    ADD CONSTRAINT pk_intent PRIMARY KEY (id);
ALTER TABLE ONLY intent_event
    ADD CONSTRAINT pk_intent_event PRIMARY KEY (id);
ALTER TABLE ONLY kept_post
    ADD CONSTRAINT pk_kept_post PRIMARY KEY (key);
ALTER TABLE ONLY latch
    ADD CONSTRAINT pk_latch PRIMARY KEY (scope);
ALTER TABLE ONLY link
    ADD CONSTRAINT pk_link PRIMARY KEY (id);
ALTER TABLE ONLY link_challan
    ADD CONSTRAINT pk_link_challan PRIMARY KEY (link_id, challan_id);
ALTER TABLE ONLY link_event
    ADD CONSTRAINT pk_link_event PRIMARY KEY (id);
ALTER TABLE ONLY link_seen
    ADD CONSTRAINT pk_link_seen PRIMARY KEY (person_id, link_id);
ALTER TABLE ONLY lookup
    ADD CONSTRAINT pk_lookup PRIMARY KEY (name);
ALTER TABLE ONLY message_template
    ADD CONSTRAINT pk_message_template PRIMARY KEY (language);
ALTER TABLE ONLY organization
    ADD CONSTRAINT pk_organization PRIMARY KEY (id);
ALTER TABLE ONLY own_field
    ADD CONSTRAINT pk_own_field PRIMARY KEY (kind, ref);
ALTER TABLE ONLY person
    ADD CONSTRAINT pk_person PRIMARY KEY (id);
ALTER TABLE ONLY person_count
    ADD CONSTRAINT pk_person_count PRIMARY KEY (person_id, hour);
ALTER TABLE ONLY person_seen
    ADD CONSTRAINT pk_person_seen PRIMARY KEY (person_id);
ALTER TABLE ONLY refresh
    ADD CONSTRAINT pk_refresh PRIMARY KEY (rc);
ALTER TABLE ONLY saved_view
    ADD CONSTRAINT pk_saved_view PRIMARY KEY (id);
ALTER TABLE ONLY search_attempt
    ADD CONSTRAINT pk_search_attempt PRIMARY KEY (person_id, rc);
ALTER TABLE ONLY settlement
    ADD CONSTRAINT pk_settlement PRIMARY KEY (link_id);
ALTER TABLE ONLY share
    ADD CONSTRAINT pk_share PRIMARY KEY (id);
ALTER TABLE ONLY sign_in
    ADD CONSTRAINT pk_sign_in PRIMARY KEY (id);
ALTER TABLE ONLY sign_in_failure
    ADD CONSTRAINT pk_sign_in_failure PRIMARY KEY (key);
ALTER TABLE ONLY vehicle
    ADD CONSTRAINT pk_vehicle PRIMARY KEY (rc);
ALTER TABLE ONLY finding
    ADD CONSTRAINT uq_finding_link_id_kind UNIQUE (link_id, kind);
ALTER TABLE ONLY intent
    ADD CONSTRAINT uq_intent_person_id_request_key UNIQUE (person_id, request_key);
ALTER TABLE ONLY person
    ADD CONSTRAINT uq_person_email_key UNIQUE (email_key);
ALTER TABLE ONLY saved_view
    ADD CONSTRAINT uq_saved_view_person_id_name UNIQUE (person_id, name);
ALTER TABLE ONLY sign_in
    ADD CONSTRAINT uq_sign_in_token_hash UNIQUE (token_hash);
CREATE INDEX ix_audit_at ON audit USING btree (at);
CREATE INDEX ix_audit_person_id ON audit USING btree (person_id);
CREATE INDEX ix_challan_challan_id ON challan USING btree (challan_id);
CREATE INDEX ix_challan_challan_no ON challan USING btree (challan_no);
CREATE INDEX ix_challan_rc ON challan USING btree (rc);
CREATE INDEX ix_claim_challan_id ON claim USING btree (challan_id);
CREATE INDEX ix_claim_intent_id ON claim USING btree (intent_id);
CREATE INDEX ix_claim_link_id ON claim USING btree (link_id);
CREATE INDEX ix_driver_name ON driver USING btree (name);
CREATE INDEX ix_driver_vehicle_rc ON driver_vehicle USING btree (rc);
CREATE INDEX ix_finding_seen_at ON finding USING btree (seen_at, id) WHERE (seen_at IS NOT NULL);
CREATE INDEX ix_finding_standing ON finding USING btree (kind, found_at, id) WHERE ((gone_at IS NULL) AND (seen_at IS NULL));
CREATE INDEX ix_follow_up_snoozed_until ON follow_up USING btree (snoozed_until);
CREATE INDEX ix_intent_event_intent_id ON intent_event USING btree (intent_id);
CREATE INDEX ix_intent_next_check_at ON intent USING btree (next_check_at);
CREATE INDEX ix_intent_rc ON intent USING btree (rc);
CREATE INDEX ix_intent_replaces ON intent USING btree (replaces);
CREATE INDEX ix_intent_state ON intent USING btree (state);
CREATE INDEX ix_link_amount_rank_id ON link USING btree (amount_rank, id);
CREATE INDEX ix_link_challan_challan_id ON link_challan USING btree (challan_id);
CREATE INDEX ix_link_challan_challan_no_link_id ON link_challan USING btree (challan_no, link_id);
CREATE INDEX ix_link_challan_challan_type_link_id ON link_challan USING btree (challan_type, link_id);
CREATE INDEX ix_link_ends_rank_id ON link USING btree (ends_rank, id);
CREATE INDEX ix_link_event_kind_link_id ON link_event USING btree (kind, link_id);
CREATE INDEX ix_link_event_link_id ON link_event USING btree (link_id);
CREATE INDEX ix_link_expires_at ON link USING btree (expires_at);
CREATE INDEX ix_link_first_seen_at_id ON link USING btree (first_seen_at, id);
CREATE INDEX ix_link_lease_until ON link USING btree (lease_until) WHERE (lease_until IS NOT NULL);
CREATE INDEX ix_link_live ON link USING btree (first_seen_at, id) WHERE (status <> ALL (ARRAY['CANCELLED'::text, 'EXPIRED'::text, 'FAILED'::text, 'PAID'::text]));
CREATE INDEX ix_link_looked_at ON link USING btree (looked_at);
CREATE INDEX ix_link_next_check_at ON link USING btree (next_check_at);
CREATE INDEX ix_link_paid_at ON link USING btree (paid_at);
CREATE INDEX ix_link_person_id_first_seen_at ON link USING btree (person_id, first_seen_at);
CREATE INDEX ix_link_person_id_status_status_since ON link USING btree (person_id, status, status_since);
CREATE INDEX ix_link_rc ON link USING btree (rc);
CREATE INDEX ix_link_rc_rank_id ON link USING btree (rc_rank, id);
CREATE INDEX ix_link_status_amount_rank_id ON link USING btree (status, amount_rank, id);
CREATE INDEX ix_link_status_ends_rank_id ON link USING btree (status, ends_rank, id);
CREATE INDEX ix_link_status_first_seen_at_id ON link USING btree (status, first_seen_at, id);
CREATE INDEX ix_link_status_id ON link USING btree (status, id);
CREATE INDEX ix_link_status_rc_rank_id ON link USING btree (status, rc_rank, id);
CREATE INDEX ix_link_status_status_since ON link USING btree (status, status_since);
CREATE INDEX ix_settlement_due_at ON settlement USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX ix_settlement_rc ON settlement USING btree (rc);
CREATE INDEX ix_share_driver_id_at ON share USING btree (driver_id, at);
CREATE INDEX ix_share_link_id_at ON share USING btree (link_id, at);
CREATE INDEX ix_sign_in_person_id ON sign_in USING btree (person_id);
CREATE INDEX ix_vehicle_searched_at ON vehicle USING btree (searched_at);
CREATE UNIQUE INDEX uq_claim_open_challan ON claim USING btree (challan_id) WHERE (released_at IS NULL);
ALTER TABLE ONLY audit
    ADD CONSTRAINT fk_audit_person_id FOREIGN KEY (person_id) REFERENCES person(id);
ALTER TABLE ONLY challan
    ADD CONSTRAINT fk_challan_rc FOREIGN KEY (rc) REFERENCES vehicle(rc);
ALTER TABLE ONLY claim
    ADD CONSTRAINT fk_claim_intent_id FOREIGN KEY (intent_id) REFERENCES intent(id);
ALTER TABLE ONLY draft
    ADD CONSTRAINT fk_draft_person_id FOREIGN KEY (person_id) REFERENCES person(id);
ALTER TABLE ONLY driver
    ADD CONSTRAINT fk_driver_added_by FOREIGN KEY (added_by) REFERENCES person(id);
ALTER TABLE ONLY driver_vehicle
    ADD CONSTRAINT fk_driver_vehicle_driver_id FOREIGN KEY (driver_id) REFERENCES driver(id);
ALTER TABLE ONLY finding
    ADD CONSTRAINT fk_finding_link_id FOREIGN KEY (link_id) REFERENCES link(id);
ALTER TABLE ONLY finding
    ADD CONSTRAINT fk_finding_seen_by FOREIGN KEY (seen_by) REFERENCES person(id);
ALTER TABLE ONLY follow_up
    ADD CONSTRAINT fk_follow_up_link_id FOREIGN KEY (link_id) REFERENCES link(id);
ALTER TABLE ONLY follow_up
    ADD CONSTRAINT fk_follow_up_snoozed_by FOREIGN KEY (snoozed_by) REFERENCES person(id);
ALTER TABLE ONLY intent_event
    ADD CONSTRAINT fk_intent_event_intent_id FOREIGN KEY (intent_id) REFERENCES intent(id);
ALTER TABLE ONLY intent
    ADD CONSTRAINT fk_intent_person_id FOREIGN KEY (person_id) REFERENCES person(id);
ALTER TABLE ONLY kept_post
    ADD CONSTRAINT fk_kept_post_person_id FOREIGN KEY (person_id) REFERENCES person(id);
ALTER TABLE ONLY link_challan
    ADD CONSTRAINT fk_link_challan_link_id FOREIGN KEY (link_id) REFERENCES link(id);
ALTER TABLE ONLY link_event
    ADD CONSTRAINT fk_link_event_link_id FOREIGN KEY (link_id) REFERENCES link(id);
ALTER TABLE ONLY link_event
    ADD CONSTRAINT fk_link_event_person_id FOREIGN KEY (person_id) REFERENCES person(id);
ALTER TABLE ONLY link
    ADD CONSTRAINT fk_link_intent_id FOREIGN KEY (intent_id) REFERENCES intent(id);
ALTER TABLE ONLY link
    ADD CONSTRAINT fk_link_person_id FOREIGN KEY (person_id) REFERENCES person(id);
ALTER TABLE ONLY link_seen
    ADD CONSTRAINT fk_link_seen_link_id FOREIGN KEY (link_id) REFERENCES link(id);
ALTER TABLE ONLY link_seen
    ADD CONSTRAINT fk_link_seen_person_id FOREIGN KEY (person_id) REFERENCES person(id);
ALTER TABLE ONLY message_template
    ADD CONSTRAINT fk_message_template_written_by FOREIGN KEY (written_by) REFERENCES person(id);
ALTER TABLE ONLY own_field
    ADD CONSTRAINT fk_own_field_written_by FOREIGN KEY (written_by) REFERENCES person(id);
ALTER TABLE ONLY person_count
    ADD CONSTRAINT fk_person_count_person_id FOREIGN KEY (person_id) REFERENCES person(id);
ALTER TABLE ONLY person_seen
    ADD CONSTRAINT fk_person_seen_person_id FOREIGN KEY (person_id) REFERENCES person(id);
ALTER TABLE ONLY refresh
    ADD CONSTRAINT fk_refresh_person_id FOREIGN KEY (person_id) REFERENCES person(id);
ALTER TABLE ONLY saved_view
    ADD CONSTRAINT fk_saved_view_person_id FOREIGN KEY (person_id) REFERENCES person(id);
ALTER TABLE ONLY search_attempt
    ADD CONSTRAINT fk_search_attempt_person_id FOREIGN KEY (person_id) REFERENCES person(id);
ALTER TABLE ONLY settlement
    ADD CONSTRAINT fk_settlement_link_id FOREIGN KEY (link_id) REFERENCES link(id);
ALTER TABLE ONLY share
    ADD CONSTRAINT fk_share_driver_id FOREIGN KEY (driver_id) REFERENCES driver(id);
ALTER TABLE ONLY share
    ADD CONSTRAINT fk_share_link_id FOREIGN KEY (link_id) REFERENCES link(id);
ALTER TABLE ONLY share
    ADD CONSTRAINT fk_share_person_id FOREIGN KEY (person_id) REFERENCES person(id);
ALTER TABLE ONLY sign_in
    ADD CONSTRAINT fk_sign_in_person_id FOREIGN KEY (person_id) REFERENCES person(id);
ALTER TABLE ONLY vehicle
    ADD CONSTRAINT fk_vehicle_searched_by FOREIGN KEY (searched_by) REFERENCES person(id);
ALTER TABLE ONLY intent
    ADD CONSTRAINT intent_set_aside_by_fkey FOREIGN KEY (set_aside_by) REFERENCES person(id);
