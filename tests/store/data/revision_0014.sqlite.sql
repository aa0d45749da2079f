BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0014');
CREATE TABLE audit (
	id INTEGER NOT NULL, 
	at DATETIME NOT NULL, 
	person_id INTEGER, 
	address VARCHAR(45), 
	request_id VARCHAR(32), 
	action VARCHAR(40) NOT NULL, 
	subject TEXT, 
	detail JSON NOT NULL, 
	CONSTRAINT pk_audit PRIMARY KEY (id), 
	CONSTRAINT fk_audit_person_id FOREIGN KEY(person_id) REFERENCES person (id)
);
INSERT INTO "audit" VALUES(1,'2026-11-22 06:42:25.202423',NULL,'command line',NULL,'person added','asha@example.com','{"role": "staff"}');
INSERT INTO "audit" VALUES(2,'2026-11-22 06:42:25.202423',1,'127.0.0.1','8663dbb3692792da','signed in','asha@example.com','{}');
INSERT INTO "audit" VALUES(3,'2026-11-22 06:42:25.202423',1,'127.0.0.1','b4da6982d1e25ef1','search','MH12AB1001','{}');
INSERT INTO "audit" VALUES(4,'2026-11-22 06:42:25.202423',1,'127.0.0.1','157586c8ddee4288','create','MH12AB1001','{"request": "91f041c1-1c86-4ded-9d60-e8b4f4fdebb7", "challans": 2, "hours": 72}');
INSERT INTO "audit" VALUES(5,'2026-11-22 06:42:25.202423',NULL,'command line',NULL,'person added','meera@example.com','{"role": "manager"}');
INSERT INTO "audit" VALUES(6,'2026-11-22 06:42:25.202423',NULL,'command line',NULL,'person added','admin@example.com','{"role": "admin"}');
INSERT INTO "audit" VALUES(7,'2026-11-22 06:42:25.202423',1,'127.0.0.1','5817dadac921719c','search','KA01AB2002','{}');
INSERT INTO "audit" VALUES(8,'2026-11-22 06:42:25.202423',1,'127.0.0.1','9f9dd95c47c41d69','create','KA01AB2002','{"request": "108f3542-98ae-47c7-a2da-e7e64305d35c", "challans": 2, "hours": 48}');
INSERT INTO "audit" VALUES(9,'2026-11-22 06:42:25.202423',1,'127.0.0.1','5440d0d59b2093a2','create','KA01AB2002','{"request": "58f4d146-3e3a-45cd-b754-ea7aef07c6c2", "challans": 1, "hours": 48}');
INSERT INTO "audit" VALUES(10,'2026-11-22 06:42:25.202423',1,'127.0.0.1','f82d675c6a1867ca','driver added','1','{"name": "Lakshmi"}');
CREATE TABLE breaker (
	call_group VARCHAR(10) NOT NULL, 
	failures INTEGER NOT NULL, 
	failing_since DATETIME, 
	recent JSON NOT NULL, 
	cause VARCHAR(40), 
	opened_at DATETIME, 
	until DATETIME, 
	CONSTRAINT pk_breaker PRIMARY KEY (call_group)
);
INSERT INTO "breaker" VALUES('create',0,NULL,'[[1795329745.202423, true], [1795329745.202423, false], [1795329745.202423, false]]','Unreachable',NULL,NULL);
CREATE TABLE call_budget (
	name VARCHAR(20) NOT NULL, 
	used_until DATETIME NOT NULL, 
	CONSTRAINT pk_call_budget PRIMARY KEY (name)
);
INSERT INTO "call_budget" VALUES('background','2026-11-22 06:45:44.302423');
CREATE TABLE call_count (
	day VARCHAR(10) NOT NULL, 
	call_group VARCHAR(10) NOT NULL, 
	calls INTEGER NOT NULL, 
	refused_after INTEGER, 
	refused_at DATETIME, 
	ask_again_at DATETIME, 
	CONSTRAINT pk_call_count PRIMARY KEY (day, call_group)
);
INSERT INTO "call_count" VALUES('2026-11-22','search',3,NULL,NULL,NULL);
CREATE TABLE challan (
	id INTEGER NOT NULL, 
	rc VARCHAR(20) NOT NULL, 
	position INTEGER NOT NULL, 
	listed BOOLEAN NOT NULL, 
	mark VARCHAR(8), 
	changes JSON NOT NULL, 
	challan_id VARCHAR(36), 
	challan_no TEXT, 
	status TEXT, 
	challan_amount VARCHAR(40), 
	total_amount VARCHAR(40), 
	challan_date DATETIME, 
	state TEXT, 
	challan_type TEXT, 
	challan_place TEXT, 
	offense_details TEXT, 
	payment_link_id VARCHAR(36), 
	link_status TEXT, 
	link_url TEXT, 
	link_total VARCHAR(40), 
	prepaid BOOLEAN, 
	gaps JSON NOT NULL, 
	CONSTRAINT pk_challan PRIMARY KEY (id), 
	CONSTRAINT fk_challan_rc FOREIGN KEY(rc) REFERENCES vehicle (rc)
);
INSERT INTO "challan" VALUES(6,'KA01AB2002',0,1,NULL,'[]','2b93fa43-4ed3-4fca-b583-ab74c9603b73','KA101','PENDING','500','559','2026-08-01 08:00:00.000000','Maharashtra','ONLINE','Sion circle, Mumbai','No parking, Sec 122 r/w 177 MV Act',NULL,NULL,NULL,NULL,0,'[]');
INSERT INTO "challan" VALUES(7,'KA01AB2002',1,1,NULL,'[]','80b57400-2d41-41f8-bcc8-d99c48aa8c03','KA102','PENDING','500','559','2026-07-01 08:00:00.000000','Maharashtra','ONLINE','Sion circle, Mumbai','No parking, Sec 122 r/w 177 MV Act',NULL,NULL,NULL,NULL,0,'[]');
INSERT INTO "challan" VALUES(8,'KA01AB2002',2,1,NULL,'[]','eea4a98b-9397-4fee-a497-c687b75e76ce','KA103','PENDING','500','559','2026-06-01 08:00:00.000000','Maharashtra','ONLINE','Sion circle, Mumbai','No parking, Sec 122 r/w 177 MV Act',NULL,NULL,NULL,NULL,0,'[]');
INSERT INTO "challan" VALUES(9,'KA01AB2002',3,1,NULL,'[]','e38de072-30e9-4b7e-86e2-1e7b1dba6990','KA104','PENDING','500','559','2026-05-01 08:00:00.000000','Maharashtra','ONLINE','Sion circle, Mumbai','No parking, Sec 122 r/w 177 MV Act',NULL,NULL,NULL,NULL,0,'[]');
INSERT INTO "challan" VALUES(10,'KA01AB2002',4,1,NULL,'[]','97695a03-fc8a-4c85-87f1-95512983c4e9','KA105','PENDING','500','559','2026-04-01 08:00:00.000000','Maharashtra','ONLINE','Sion circle, Mumbai','No parking, Sec 122 r/w 177 MV Act',NULL,NULL,NULL,NULL,0,'[]');
INSERT INTO "challan" VALUES(11,'MH12AB1001',0,1,NULL,'[]','1ba86101-b8af-461c-80e9-84de4ad48d19','MH1001','PENDING','500','559','2026-08-01 08:00:00.000000','Maharashtra','ONLINE','Sion circle, Mumbai','No parking, Sec 122 r/w 177 MV Act','33cd494f-d411-44bd-8734-aedb76023500','ACTIVE','http://127.0.0.1:42929/prepaid-payment/4tpiakOMN62z1X_Be-u_WLzrlmDIJ8jQ','1118',1,'[]');
INSERT INTO "challan" VALUES(12,'MH12AB1001',1,1,NULL,'[]','50f4fb93-fb54-4862-ad71-8105f1359fb4','MH1002','PENDING','500','559','2026-07-01 08:00:00.000000','Maharashtra','ONLINE','Sion circle, Mumbai','No parking, Sec 122 r/w 177 MV Act','33cd494f-d411-44bd-8734-aedb76023500','ACTIVE','http://127.0.0.1:42929/prepaid-payment/4tpiakOMN62z1X_Be-u_WLzrlmDIJ8jQ','1118',1,'[]');
INSERT INTO "challan" VALUES(13,'MH12AB1001',2,1,NULL,'[]','e64cf9aa-e4f4-4dea-8b11-dfd69a28383f','MH1003','PENDING','500','559','2026-06-01 08:00:00.000000','Maharashtra','ONLINE','Sion circle, Mumbai','No parking, Sec 122 r/w 177 MV Act',NULL,NULL,NULL,NULL,0,'[]');
INSERT INTO "challan" VALUES(14,'MH12AB1001',3,1,NULL,'[]','008c2381-25a1-443c-914f-e0d495a5d794','MH1004','PENDING','500','559','2026-05-01 08:00:00.000000','Maharashtra','ONLINE','Sion circle, Mumbai','No parking, Sec 122 r/w 177 MV Act',NULL,NULL,NULL,NULL,0,'[]');
INSERT INTO "challan" VALUES(15,'MH12AB1001',4,1,NULL,'[]','4e6cb18d-f489-4b07-9487-c7c0b35cdf21','MH1005','PENDING','500','559','2026-04-01 08:00:00.000000','Maharashtra','ONLINE','Sion circle, Mumbai','No parking, Sec 122 r/w 177 MV Act',NULL,NULL,NULL,NULL,0,'[]');
CREATE TABLE claim (
	id INTEGER NOT NULL, 
	challan_id VARCHAR(36) NOT NULL, 
	intent_id VARCHAR(36) NOT NULL, 
	link_id VARCHAR(36), 
	claimed_at DATETIME NOT NULL, 
	released_at DATETIME, 
	why TEXT, 
	CONSTRAINT pk_claim PRIMARY KEY (id), 
	CONSTRAINT fk_claim_intent_id FOREIGN KEY(intent_id) REFERENCES intent (id)
);
INSERT INTO "claim" VALUES(1,'1ba86101-b8af-461c-80e9-84de4ad48d19','91f041c1-1c86-4ded-9d60-e8b4f4fdebb7','33cd494f-d411-44bd-8734-aedb76023500','2026-11-22 06:42:25.202423',NULL,NULL);
INSERT INTO "claim" VALUES(2,'50f4fb93-fb54-4862-ad71-8105f1359fb4','91f041c1-1c86-4ded-9d60-e8b4f4fdebb7','33cd494f-d411-44bd-8734-aedb76023500','2026-11-22 06:42:25.202423',NULL,NULL);
INSERT INTO "claim" VALUES(3,'2b93fa43-4ed3-4fca-b583-ab74c9603b73','108f3542-98ae-47c7-a2da-e7e64305d35c','78ace79a-3071-459b-862c-c438545beeae','2026-11-22 06:42:25.202423',NULL,NULL);
INSERT INTO "claim" VALUES(4,'80b57400-2d41-41f8-bcc8-d99c48aa8c03','108f3542-98ae-47c7-a2da-e7e64305d35c','78ace79a-3071-459b-862c-c438545beeae','2026-11-22 06:42:25.202423',NULL,NULL);
INSERT INTO "claim" VALUES(5,'eea4a98b-9397-4fee-a497-c687b75e76ce','58f4d146-3e3a-45cd-b754-ea7aef07c6c2','8937dd04-44fc-458f-8815-6611332f31d1','2026-11-22 06:42:25.202423',NULL,NULL);
CREATE TABLE draft (
	person_id INTEGER NOT NULL, 
	rc VARCHAR(20) NOT NULL, 
	challan_ids JSON NOT NULL, 
	hours VARCHAR(12) NOT NULL, 
	saved_at DATETIME NOT NULL, 
	CONSTRAINT pk_draft PRIMARY KEY (person_id, rc), 
	CONSTRAINT fk_draft_person_id FOREIGN KEY(person_id) REFERENCES person (id)
);
INSERT INTO "draft" VALUES(1,'MH12AB1001','["1ba86101-b8af-461c-80e9-84de4ad48d19", "50f4fb93-fb54-4862-ad71-8105f1359fb4"]','72','2026-11-22 06:42:25.202423');
CREATE TABLE driver (
	id INTEGER NOT NULL, 
	name VARCHAR(100) NOT NULL, 
	phone VARCHAR(20), 
	email VARCHAR(254), 
	language VARCHAR(5) NOT NULL, 
	note TEXT, 
	added_at DATETIME NOT NULL, 
	added_by INTEGER NOT NULL, 
	gone_at DATETIME, 
	CONSTRAINT pk_driver PRIMARY KEY (id), 
	CONSTRAINT fk_driver_added_by FOREIGN KEY(added_by) REFERENCES person (id)
);
INSERT INTO "driver" VALUES(1,'Lakshmi','98765 43210',NULL,'en',NULL,'2026-11-22 06:42:25.202423',1,NULL);
CREATE TABLE driver_vehicle (
	driver_id INTEGER NOT NULL, 
	rc VARCHAR(20) NOT NULL, 
	CONSTRAINT pk_driver_vehicle PRIMARY KEY (driver_id, rc), 
	CONSTRAINT fk_driver_vehicle_driver_id FOREIGN KEY(driver_id) REFERENCES driver (id)
);
INSERT INTO "driver_vehicle" VALUES(1,'KA01AB2002');
CREATE TABLE finding (
	id INTEGER NOT NULL, 
	link_id VARCHAR(36) NOT NULL, 
	kind VARCHAR(12) NOT NULL, 
	facts JSON NOT NULL, 
	version INTEGER NOT NULL, 
	found_at DATETIME NOT NULL, 
	gone_at DATETIME, 
	seen_at DATETIME, 
	seen_by INTEGER, 
	note TEXT, 
	CONSTRAINT pk_finding PRIMARY KEY (id), 
	CONSTRAINT fk_finding_link_id FOREIGN KEY(link_id) REFERENCES link (id), 
	CONSTRAINT fk_finding_seen_by FOREIGN KEY(seen_by) REFERENCES person (id), 
	CONSTRAINT uq_finding_link_id_kind UNIQUE (link_id, kind)
);
INSERT INTO "finding" VALUES(1,'8937dd04-44fc-458f-8815-6611332f31d1','kind-1','{}',1,'2026-11-21 09:01:00.000000','2026-11-21 09:01:00.000000','2026-11-21 09:01:00.000000',3,'note-1');
CREATE TABLE follow_up (
	link_id VARCHAR(36) NOT NULL, 
	snoozed_until DATETIME NOT NULL, 
	snoozed_by INTEGER NOT NULL, 
	snoozed_at DATETIME NOT NULL, 
	CONSTRAINT pk_follow_up PRIMARY KEY (link_id), 
	CONSTRAINT fk_follow_up_link_id FOREIGN KEY(link_id) REFERENCES link (id), 
	CONSTRAINT fk_follow_up_snoozed_by FOREIGN KEY(snoozed_by) REFERENCES person (id)
);
INSERT INTO "follow_up" VALUES('8937dd04-44fc-458f-8815-6611332f31d1','2026-11-21 09:01:00.000000',3,'2026-11-21 09:01:00.000000');
CREATE TABLE intent (
	id VARCHAR(36) NOT NULL, 
	request_key VARCHAR(64) NOT NULL, 
	person_id INTEGER NOT NULL, 
	organization_id VARCHAR(36), 
	rc VARCHAR(20) NOT NULL, 
	challan_ids JSON NOT NULL, 
	hours INTEGER NOT NULL, 
	state VARCHAR(16) NOT NULL, 
	state_since DATETIME NOT NULL, 
	sends INTEGER NOT NULL, 
	prepared_at DATETIME NOT NULL, 
	send_started DATETIME, 
	send_ended DATETIME, 
	lease_until DATETIME, 
	http_status INTEGER, 
	outcome VARCHAR(40), 
	negatives INTEGER NOT NULL, 
	last_negative_at DATETIME, 
	looks INTEGER NOT NULL, 
	last_look_at DATETIME, 
	look_failed_at DATETIME, 
	look_failure VARCHAR(40), 
	next_check_at DATETIME, 
	looking_until DATETIME, 
	link_id VARCHAR(36), 
	attribution VARCHAR(8), replaces VARCHAR(36), set_aside_at DATETIME, set_aside_by INTEGER REFERENCES person (id), set_aside_why TEXT, 
	CONSTRAINT pk_intent PRIMARY KEY (id), 
	CONSTRAINT ck_intent_one_send CHECK (sends <= 1), 
	CONSTRAINT fk_intent_person_id FOREIGN KEY(person_id) REFERENCES person (id), 
	CONSTRAINT uq_intent_person_id_request_key UNIQUE (person_id, request_key)
);
INSERT INTO "intent" VALUES('91f041c1-1c86-4ded-9d60-e8b4f4fdebb7','cfd87374bd9cd20e53c84744d05b89be',1,NULL,'MH12AB1001','["1ba86101-b8af-461c-80e9-84de4ad48d19", "50f4fb93-fb54-4862-ad71-8105f1359fb4"]',72,'RECOVERED','2026-11-22 06:45:45.202423',1,'2026-11-22 06:42:25.202423','2026-11-22 06:42:25.202423','2026-11-22 06:42:25.202423','2026-11-22 06:42:42.202423',NULL,'Unreachable',0,NULL,0,NULL,NULL,NULL,NULL,NULL,'33cd494f-d411-44bd-8734-aedb76023500','inferred',NULL,NULL,NULL,NULL);
INSERT INTO "intent" VALUES('108f3542-98ae-47c7-a2da-e7e64305d35c','94c93d224a8ea611963ff6c81cfee8f4',1,'89fed078-2406-5f43-823a-91465ed740a0','KA01AB2002','["2b93fa43-4ed3-4fca-b583-ab74c9603b73", "80b57400-2d41-41f8-bcc8-d99c48aa8c03"]',48,'CREATED','2026-11-22 06:42:25.202423',1,'2026-11-22 06:42:25.202423','2026-11-22 06:42:25.202423','2026-11-22 06:42:25.202423','2026-11-22 06:42:42.202423',200,NULL,0,NULL,0,NULL,NULL,NULL,NULL,NULL,'78ace79a-3071-459b-862c-c438545beeae','certain',NULL,NULL,NULL,NULL);
INSERT INTO "intent" VALUES('58f4d146-3e3a-45cd-b754-ea7aef07c6c2','80b881f6a0e5f96e58c4f8f87e2a37a6',1,'89fed078-2406-5f43-823a-91465ed740a0','KA01AB2002','["eea4a98b-9397-4fee-a497-c687b75e76ce"]',48,'CREATED','2026-11-22 06:42:25.202423',1,'2026-11-22 06:42:25.202423','2026-11-22 06:42:25.202423','2026-11-22 06:42:25.202423','2026-11-22 06:42:42.202423',200,NULL,0,NULL,0,NULL,NULL,NULL,NULL,NULL,'8937dd04-44fc-458f-8815-6611332f31d1','certain',NULL,NULL,NULL,NULL);
CREATE TABLE intent_event (
	id INTEGER NOT NULL, 
	intent_id VARCHAR(36) NOT NULL, 
	at DATETIME NOT NULL, 
	old VARCHAR(16), 
	new VARCHAR(16) NOT NULL, 
	detail TEXT, 
	CONSTRAINT pk_intent_event PRIMARY KEY (id), 
	CONSTRAINT fk_intent_event_intent_id FOREIGN KEY(intent_id) REFERENCES intent (id)
);
INSERT INTO "intent_event" VALUES(1,'91f041c1-1c86-4ded-9d60-e8b4f4fdebb7','2026-11-22 06:42:25.202423',NULL,'PREPARED',NULL);
INSERT INTO "intent_event" VALUES(2,'91f041c1-1c86-4ded-9d60-e8b4f4fdebb7','2026-11-22 06:42:25.202423','PREPARED','SENDING',NULL);
INSERT INTO "intent_event" VALUES(3,'91f041c1-1c86-4ded-9d60-e8b4f4fdebb7','2026-11-22 06:42:25.202423','SENDING','UNKNOWN','Unreachable');
INSERT INTO "intent_event" VALUES(4,'108f3542-98ae-47c7-a2da-e7e64305d35c','2026-11-22 06:42:25.202423',NULL,'PREPARED',NULL);
INSERT INTO "intent_event" VALUES(5,'108f3542-98ae-47c7-a2da-e7e64305d35c','2026-11-22 06:42:25.202423','PREPARED','SENDING',NULL);
INSERT INTO "intent_event" VALUES(6,'108f3542-98ae-47c7-a2da-e7e64305d35c','2026-11-22 06:42:25.202423','SENDING','CREATED',NULL);
INSERT INTO "intent_event" VALUES(7,'58f4d146-3e3a-45cd-b754-ea7aef07c6c2','2026-11-22 06:42:25.202423',NULL,'PREPARED',NULL);
INSERT INTO "intent_event" VALUES(8,'58f4d146-3e3a-45cd-b754-ea7aef07c6c2','2026-11-22 06:42:25.202423','PREPARED','SENDING',NULL);
INSERT INTO "intent_event" VALUES(9,'58f4d146-3e3a-45cd-b754-ea7aef07c6c2','2026-11-22 06:42:25.202423','SENDING','CREATED',NULL);
INSERT INTO "intent_event" VALUES(10,'91f041c1-1c86-4ded-9d60-e8b4f4fdebb7','2026-11-22 06:45:45.202423','UNKNOWN','RECOVERED',NULL);
CREATE TABLE kept_post (
	"key" VARCHAR(43) NOT NULL, 
	person_id INTEGER, 
	path TEXT NOT NULL, 
	endpoint VARCHAR(100) NOT NULL, 
	view_args JSON NOT NULL, 
	fields JSON NOT NULL, 
	created_at DATETIME NOT NULL, 
	CONSTRAINT pk_kept_post PRIMARY KEY ("key"), 
	CONSTRAINT fk_kept_post_person_id FOREIGN KEY(person_id) REFERENCES person (id)
);
INSERT INTO "kept_post" VALUES('key-1',3,'path-1','links.create','{}','{}','2026-11-21 09:01:00.000000');
CREATE TABLE latch (
	scope VARCHAR(40) NOT NULL, 
	since DATETIME NOT NULL, 
	until DATETIME NOT NULL, 
	tries INTEGER NOT NULL, 
	fingerprint VARCHAR(64), 
	CONSTRAINT pk_latch PRIMARY KEY (scope)
);
INSERT INTO "latch" VALUES('scope-1','2026-11-21 09:01:00.000000','2026-11-21 09:01:00.000000',1,'fingerprint-1');
CREATE TABLE link (
	id VARCHAR(36) NOT NULL, 
	rc VARCHAR(20), 
	status TEXT NOT NULL, 
	status_since DATETIME NOT NULL, 
	payment_url TEXT, 
	expires_at DATETIME, 
	paid_at DATETIME, 
	organization_id VARCHAR(36), 
	amount JSON, 
	modes JSON NOT NULL, 
	total VARCHAR(40), 
	detailed BOOLEAN NOT NULL, 
	origin VARCHAR(12) NOT NULL, 
	intent_id VARCHAR(36), 
	person_id INTEGER, 
	created_at DATETIME, 
	hours INTEGER, 
	first_seen_at DATETIME NOT NULL, 
	checked_at DATETIME, 
	failed_at DATETIME, 
	failure VARCHAR(40), 
	clock_ahead INTEGER, 
	looked_at DATETIME, 
	next_check_at DATETIME, 
	lease_until DATETIME, 
	version INTEGER NOT NULL, rc_rank VARCHAR(20) DEFAULT '' NOT NULL, ends_rank DATETIME DEFAULT '9999-12-31 00:00:00' NOT NULL, amount_rank FLOAT DEFAULT (-1) NOT NULL, failures INTEGER, saving VARCHAR(40), 
	CONSTRAINT pk_link PRIMARY KEY (id), 
	CONSTRAINT fk_link_intent_id FOREIGN KEY(intent_id) REFERENCES intent (id), 
	CONSTRAINT fk_link_person_id FOREIGN KEY(person_id) REFERENCES person (id)
);
INSERT INTO "link" VALUES('78ace79a-3071-459b-862c-c438545beeae','KA01AB2002','PAID','2026-11-22 06:42:25.202423','http://127.0.0.1:42929/prepaid-payment/_caEhmIXgCg_nuixR2586axngMJSJd6F','2026-11-24 06:42:29.297000','2026-11-22 06:42:29.476000','89fed078-2406-5f43-823a-91465ed740a0','{"base_amount": "1000", "legal_fee": "100", "gst": "18", "convenience_fee": "0", "total_amount": "1118", "payment_mode": null}','[{"base_amount": "1000", "legal_fee": "100", "gst": "18", "convenience_fee": "0", "total_amount": "1118", "payment_mode": "UPI"}, {"base_amount": "1000", "legal_fee": "100", "gst": "18", "convenience_fee": "22.36", "total_amount": "1140.36", "payment_mode": "CREDIT_CARD"}]','1118',1,'created','108f3542-98ae-47c7-a2da-e7e64305d35c',1,'2026-11-22 06:42:25.202423',48,'2026-11-22 06:42:25.202423','2026-11-22 06:42:25.202423',NULL,NULL,4,'2026-11-22 06:42:25.202423',NULL,NULL,2,'KA01AB2002','2026-11-24 06:42:29.297000',1118.0,0,'22.36');
INSERT INTO "link" VALUES('8937dd04-44fc-458f-8815-6611332f31d1','KA01AB2002','ACTIVE','2026-11-22 06:42:25.202423','http://127.0.0.1:42929/prepaid-payment/IMzCuD2dSQyy8KaZ_6dEgEjyqqdbzHc9','2026-11-24 06:42:30.021000',NULL,'89fed078-2406-5f43-823a-91465ed740a0','{"base_amount": "500", "legal_fee": "50", "gst": "9", "convenience_fee": "0", "total_amount": "559", "payment_mode": null}','[{"base_amount": "500", "legal_fee": "50", "gst": "9", "convenience_fee": "0", "total_amount": "559", "payment_mode": "UPI"}, {"base_amount": "500", "legal_fee": "50", "gst": "9", "convenience_fee": "11.18", "total_amount": "570.18", "payment_mode": "CREDIT_CARD"}]','559',1,'created','58f4d146-3e3a-45cd-b754-ea7aef07c6c2',1,'2026-11-22 06:42:25.202423',48,'2026-11-22 06:42:25.202423','2026-11-22 06:45:45.202423',NULL,NULL,-195,'2026-11-22 06:42:25.202423','2026-11-22 06:46:01.619161',NULL,2,'KA01AB2002','2026-11-24 06:42:30.021000',559.0,0,'11.18');
INSERT INTO "link" VALUES('33cd494f-d411-44bd-8734-aedb76023500','MH12AB1001','ACTIVE','2026-11-22 06:45:45.202423','http://127.0.0.1:42929/prepaid-payment/4tpiakOMN62z1X_Be-u_WLzrlmDIJ8jQ','2026-11-25 06:42:27.249000',NULL,'89fed078-2406-5f43-823a-91465ed740a0','{"base_amount": "1000", "legal_fee": "100", "gst": "18", "convenience_fee": "0", "total_amount": "1118", "payment_mode": null}','[{"base_amount": "1000", "legal_fee": "100", "gst": "18", "convenience_fee": "0", "total_amount": "1118", "payment_mode": "UPI"}, {"base_amount": "1000", "legal_fee": "100", "gst": "18", "convenience_fee": "22.36", "total_amount": "1140.36", "payment_mode": "CREDIT_CARD"}]','1118',1,'recovered','91f041c1-1c86-4ded-9d60-e8b4f4fdebb7',1,'2026-11-22 06:42:25.202423',72,'2026-11-22 06:45:45.202423','2026-11-22 06:45:45.202423',NULL,NULL,-195,NULL,'2026-11-22 06:45:57.560753',NULL,3,'MH12AB1001','2026-11-25 06:42:27.249000',1118.0,0,'22.36');
CREATE TABLE link_challan (
	link_id VARCHAR(36) NOT NULL, 
	challan_id VARCHAR(36) NOT NULL, 
	position INTEGER NOT NULL, 
	challan_no TEXT, 
	rc_number TEXT, 
	status TEXT, 
	challan_type TEXT, 
	state TEXT, 
	challan_amount VARCHAR(40), 
	legal_fee VARCHAR(40), 
	total_amount VARCHAR(40), 
	CONSTRAINT pk_link_challan PRIMARY KEY (link_id, challan_id), 
	CONSTRAINT fk_link_challan_link_id FOREIGN KEY(link_id) REFERENCES link (id)
);
INSERT INTO "link_challan" VALUES('78ace79a-3071-459b-862c-c438545beeae','2b93fa43-4ed3-4fca-b583-ab74c9603b73',0,'KA101','KA01AB2002','PENDING','ONLINE','Maharashtra','500','50','559');
INSERT INTO "link_challan" VALUES('78ace79a-3071-459b-862c-c438545beeae','80b57400-2d41-41f8-bcc8-d99c48aa8c03',1,'KA102','KA01AB2002','PENDING','ONLINE','Maharashtra','500','50','559');
INSERT INTO "link_challan" VALUES('8937dd04-44fc-458f-8815-6611332f31d1','eea4a98b-9397-4fee-a497-c687b75e76ce',0,'KA103','KA01AB2002','PENDING','ONLINE','Maharashtra','500','50','559');
INSERT INTO "link_challan" VALUES('33cd494f-d411-44bd-8734-aedb76023500','1ba86101-b8af-461c-80e9-84de4ad48d19',0,'MH1001','MH12AB1001','PENDING','ONLINE','Maharashtra','500','50','559');
INSERT INTO "link_challan" VALUES('33cd494f-d411-44bd-8734-aedb76023500','50f4fb93-fb54-4862-ad71-8105f1359fb4',1,'MH1002','MH12AB1001','PENDING','ONLINE','Maharashtra','500','50','559');
CREATE TABLE link_event (
	id INTEGER NOT NULL, 
	link_id VARCHAR(36) NOT NULL, 
	at DATETIME NOT NULL, 
	kind VARCHAR(20) NOT NULL, 
	person_id INTEGER, 
	old TEXT, 
	new TEXT, 
	CONSTRAINT pk_link_event PRIMARY KEY (id), 
	CONSTRAINT fk_link_event_link_id FOREIGN KEY(link_id) REFERENCES link (id), 
	CONSTRAINT fk_link_event_person_id FOREIGN KEY(person_id) REFERENCES person (id)
);
INSERT INTO "link_event" VALUES(1,'78ace79a-3071-459b-862c-c438545beeae','2026-11-22 06:42:25.202423','observed',NULL,NULL,'ACTIVE');
INSERT INTO "link_event" VALUES(2,'78ace79a-3071-459b-862c-c438545beeae','2026-11-22 06:42:25.202423','created',1,NULL,NULL);
INSERT INTO "link_event" VALUES(3,'78ace79a-3071-459b-862c-c438545beeae','2026-11-22 06:42:25.202423','status',NULL,'ACTIVE','PAID');
INSERT INTO "link_event" VALUES(4,'8937dd04-44fc-458f-8815-6611332f31d1','2026-11-22 06:42:25.202423','observed',NULL,NULL,'ACTIVE');
INSERT INTO "link_event" VALUES(5,'8937dd04-44fc-458f-8815-6611332f31d1','2026-11-22 06:42:25.202423','created',1,NULL,NULL);
INSERT INTO "link_event" VALUES(6,'33cd494f-d411-44bd-8734-aedb76023500','2026-11-22 06:45:45.202423','observed',NULL,NULL,'ACTIVE');
INSERT INTO "link_event" VALUES(7,'33cd494f-d411-44bd-8734-aedb76023500','2026-11-22 06:45:45.202423','recovered',1,NULL,NULL);
CREATE TABLE link_seen (
	person_id INTEGER NOT NULL, 
	link_id VARCHAR(36) NOT NULL, 
	at DATETIME NOT NULL, 
	CONSTRAINT pk_link_seen PRIMARY KEY (person_id, link_id), 
	CONSTRAINT fk_link_seen_link_id FOREIGN KEY(link_id) REFERENCES link (id), 
	CONSTRAINT fk_link_seen_person_id FOREIGN KEY(person_id) REFERENCES person (id)
);
INSERT INTO "link_seen" VALUES(1,'78ace79a-3071-459b-862c-c438545beeae','2026-11-22 06:42:25.202423');
CREATE TABLE lookup (
	name VARCHAR(20) NOT NULL, 
	fetched_at DATETIME NOT NULL, 
	rows JSON NOT NULL, 
	CONSTRAINT pk_lookup PRIMARY KEY (name)
);
INSERT INTO "lookup" VALUES('name-1','2026-11-21 09:01:00.000000','{}');
CREATE TABLE message_template (
	language VARCHAR(5) NOT NULL, 
	body TEXT NOT NULL, 
	written_at DATETIME NOT NULL, 
	written_by INTEGER NOT NULL, 
	CONSTRAINT pk_message_template PRIMARY KEY (language), 
	CONSTRAINT fk_message_template_written_by FOREIGN KEY(written_by) REFERENCES person (id)
);
INSERT INTO "message_template" VALUES('langu','body-1','2026-11-21 09:01:00.000000',3);
CREATE TABLE organization (
	id VARCHAR(36) NOT NULL, 
	name TEXT NOT NULL, 
	learned_at DATETIME NOT NULL, 
	CONSTRAINT pk_organization PRIMARY KEY (id)
);
INSERT INTO "organization" VALUES('89fed078-2406-5f43-823a-91465ed740a0','Sahyadri Fleet Services Pvt Ltd','2026-11-22 06:42:25.202423');
CREATE TABLE own_field (
	kind VARCHAR(8) NOT NULL, 
	ref VARCHAR(36) NOT NULL, 
	cost_centre VARCHAR(60), 
	trip VARCHAR(60), 
	customer VARCHAR(100), 
	note TEXT, 
	written_at DATETIME NOT NULL, 
	written_by INTEGER NOT NULL, 
	CONSTRAINT pk_own_field PRIMARY KEY (kind, ref), 
	CONSTRAINT fk_own_field_written_by FOREIGN KEY(written_by) REFERENCES person (id)
);
INSERT INTO "own_field" VALUES('kind-1','ref-1','cost_centre-1','trip-1','customer-1','note-1','2026-11-21 09:01:00.000000',3);
CREATE TABLE person (
	id INTEGER NOT NULL, 
	email VARCHAR(254) NOT NULL, 
	email_key VARCHAR(254) NOT NULL, 
	name VARCHAR(100) NOT NULL, 
	role VARCHAR(10) NOT NULL, 
	password_hash TEXT NOT NULL, 
	created_at DATETIME NOT NULL, 
	disabled_at DATETIME, 
	CONSTRAINT pk_person PRIMARY KEY (id), 
	CONSTRAINT ck_person_role CHECK (role IN ('staff', 'manager', 'admin')), 
	CONSTRAINT uq_person_email_key UNIQUE (email_key)
);
INSERT INTO "person" VALUES(1,'asha@example.com','asha@example.com','Asha Rao','staff','$argon2id$v=19$m=8,t=1,p=1$KubrqiydM0GB7hIwpfVBNQ$Is7Dd7LLDxNcF6eijoOIyrwM/W2TrepX26H9nH+39ic','2026-11-22 06:42:25.202423',NULL);
INSERT INTO "person" VALUES(2,'meera@example.com','meera@example.com','Meera Iyer','manager','$argon2id$v=19$m=8,t=1,p=1$3K0Z4kb7LUc1jYJHt4G0SQ$iFVF+ZbHIJQBNOIAWPmlKvBdFqe9qMzINEC6bf/eT/E','2026-11-22 06:42:25.202423',NULL);
INSERT INTO "person" VALUES(3,'admin@example.com','admin@example.com','Arun Das','admin','$argon2id$v=19$m=8,t=1,p=1$+l/Sl3a8AIdwV7Lj9HGyRg$HByJwSKOc7I6zemqtjxJcwp/Oz3t+hTnb00acn1gp8k','2026-11-22 06:42:25.202423',NULL);
CREATE TABLE person_count (
	person_id INTEGER NOT NULL, 
	hour DATETIME NOT NULL, 
	searches INTEGER NOT NULL, 
	CONSTRAINT pk_person_count PRIMARY KEY (person_id, hour), 
	CONSTRAINT fk_person_count_person_id FOREIGN KEY(person_id) REFERENCES person (id)
);
INSERT INTO "person_count" VALUES(1,'2026-11-22 06:30:00.000000',2);
CREATE TABLE person_seen (
	person_id INTEGER NOT NULL, 
	paid_until DATETIME, 
	notify BOOLEAN NOT NULL, 
	CONSTRAINT pk_person_seen PRIMARY KEY (person_id), 
	CONSTRAINT fk_person_seen_person_id FOREIGN KEY(person_id) REFERENCES person (id)
);
INSERT INTO "person_seen" VALUES(3,'2026-11-21 09:01:00.000000',1);
CREATE TABLE refresh (
	rc VARCHAR(20) NOT NULL, 
	person_id INTEGER, 
	lease_until DATETIME NOT NULL, 
	CONSTRAINT pk_refresh PRIMARY KEY (rc), 
	CONSTRAINT fk_refresh_person_id FOREIGN KEY(person_id) REFERENCES person (id)
);
INSERT INTO "refresh" VALUES('rc-1',3,'2026-11-21 09:01:00.000000');
CREATE TABLE saved_view (
	id INTEGER NOT NULL, 
	person_id INTEGER NOT NULL, 
	name VARCHAR(60) NOT NULL, 
	"query" TEXT NOT NULL, 
	saved_at DATETIME NOT NULL, 
	CONSTRAINT pk_saved_view PRIMARY KEY (id), 
	CONSTRAINT fk_saved_view_person_id FOREIGN KEY(person_id) REFERENCES person (id), 
	CONSTRAINT uq_saved_view_person_id_name UNIQUE (person_id, name)
);
INSERT INTO "saved_view" VALUES(1,3,'name-1','query-1','2026-11-21 09:01:00.000000');
CREATE TABLE search_attempt (
	person_id INTEGER NOT NULL, 
	rc VARCHAR(20) NOT NULL, 
	attempt INTEGER NOT NULL, 
	total INTEGER NOT NULL, 
	failure VARCHAR(40) NOT NULL, 
	at DATETIME NOT NULL, 
	CONSTRAINT pk_search_attempt PRIMARY KEY (person_id, rc), 
	CONSTRAINT fk_search_attempt_person_id FOREIGN KEY(person_id) REFERENCES person (id)
);
INSERT INTO "search_attempt" VALUES(3,'rc-1',1,1,'AllowanceKept','2026-11-21 09:01:00.000000');
CREATE TABLE settlement (
	link_id VARCHAR(36) NOT NULL, 
	rc VARCHAR(20), 
	state VARCHAR(8) NOT NULL, 
	since DATETIME NOT NULL, 
	entered_at DATETIME NOT NULL, 
	due_at DATETIME, 
	tries INTEGER NOT NULL, 
	seen_at DATETIME, 
	raw JSON, 
	ended_at DATETIME, 
	failures INTEGER NOT NULL, 
	failed_at DATETIME, 
	failure VARCHAR(40), 
	CONSTRAINT pk_settlement PRIMARY KEY (link_id), 
	CONSTRAINT fk_settlement_link_id FOREIGN KEY(link_id) REFERENCES link (id)
);
INSERT INTO "settlement" VALUES('78ace79a-3071-459b-862c-c438545beeae','KA01AB2002','waiting','2026-11-22 06:42:25.202423','2026-11-22 06:42:25.202423','2026-11-22 07:37:37.561297',0,NULL,NULL,NULL,0,NULL,NULL);
CREATE TABLE share (
	id INTEGER NOT NULL, 
	link_id VARCHAR(36) NOT NULL, 
	driver_id INTEGER, 
	channel VARCHAR(10) NOT NULL, 
	language VARCHAR(5), 
	person_id INTEGER NOT NULL, 
	at DATETIME NOT NULL, 
	CONSTRAINT pk_share PRIMARY KEY (id), 
	CONSTRAINT fk_share_link_id FOREIGN KEY(link_id) REFERENCES link (id), 
	CONSTRAINT fk_share_driver_id FOREIGN KEY(driver_id) REFERENCES driver (id), 
	CONSTRAINT fk_share_person_id FOREIGN KEY(person_id) REFERENCES person (id)
);
INSERT INTO "share" VALUES(1,'8937dd04-44fc-458f-8815-6611332f31d1',1,'channel-1','langu',3,'2026-11-21 09:01:00.000000');
CREATE TABLE sign_in (
	id INTEGER NOT NULL, 
	token_hash VARCHAR(64) NOT NULL, 
	person_id INTEGER NOT NULL, 
	created_at DATETIME NOT NULL, 
	last_used_at DATETIME NOT NULL, 
	ended_at DATETIME, 
	why VARCHAR(20), 
	address VARCHAR(45) NOT NULL, 
	user_agent VARCHAR(200) NOT NULL, 
	CONSTRAINT pk_sign_in PRIMARY KEY (id), 
	CONSTRAINT fk_sign_in_person_id FOREIGN KEY(person_id) REFERENCES person (id), 
	CONSTRAINT uq_sign_in_token_hash UNIQUE (token_hash)
);
INSERT INTO "sign_in" VALUES(1,'6ba515635824395d00ccc4ef7db89ce6037e530f5cfab1f484cb0ac9009271f3',1,'2026-11-22 06:42:25.202423','2026-11-22 06:45:45.202423',NULL,NULL,'127.0.0.1','Werkzeug/3.1.9');
CREATE TABLE sign_in_failure (
	"key" VARCHAR(64) NOT NULL, 
	failures INTEGER NOT NULL, 
	last_at DATETIME NOT NULL, 
	CONSTRAINT pk_sign_in_failure PRIMARY KEY ("key")
);
INSERT INTO "sign_in_failure" VALUES('5cb01652e9d4c3a822628b8cb5cad545ebe438dfbcb8533942aea3079556bb53',0,'2026-11-22 06:42:25.202423');
CREATE TABLE vehicle (
	rc VARCHAR(20) NOT NULL, 
	car_id VARCHAR(36), 
	first_searched_at DATETIME NOT NULL, 
	searched_at DATETIME NOT NULL, 
	searched_by INTEGER, 
	compared_with DATETIME, 
	new_count INTEGER, 
	unreadable INTEGER NOT NULL, 
	failed_at DATETIME, 
	failure VARCHAR(40), 
	CONSTRAINT pk_vehicle PRIMARY KEY (rc), 
	CONSTRAINT fk_vehicle_searched_by FOREIGN KEY(searched_by) REFERENCES person (id)
);
INSERT INTO "vehicle" VALUES('MH12AB1001','5afdbae9-229c-4845-bffc-57d3957cccaf','2026-11-22 06:42:25.202423','2026-11-22 06:45:45.202423',NULL,'2026-11-22 06:42:25.202423',0,0,NULL,NULL);
INSERT INTO "vehicle" VALUES('KA01AB2002','74f4d5a3-c148-431a-b533-9e826df9419a','2026-11-22 06:42:25.202423','2026-11-22 06:42:25.202423',1,NULL,0,0,NULL,NULL);
CREATE INDEX ix_audit_at ON audit (at);
CREATE INDEX ix_audit_person_id ON audit (person_id);
CREATE INDEX ix_intent_next_check_at ON intent (next_check_at);
CREATE INDEX ix_intent_rc ON intent (rc);
CREATE INDEX ix_intent_state ON intent (state);
CREATE INDEX ix_sign_in_person_id ON sign_in (person_id);
CREATE INDEX ix_vehicle_searched_at ON vehicle (searched_at);
CREATE INDEX ix_challan_challan_id ON challan (challan_id);
CREATE INDEX ix_challan_challan_no ON challan (challan_no);
CREATE INDEX ix_challan_rc ON challan (rc);
CREATE INDEX ix_claim_intent_id ON claim (intent_id);
CREATE INDEX ix_claim_link_id ON claim (link_id);
CREATE UNIQUE INDEX uq_claim_open_challan ON claim (challan_id) WHERE released_at IS NULL;
CREATE INDEX ix_intent_event_intent_id ON intent_event (intent_id);
CREATE INDEX ix_link_expires_at ON link (expires_at);
CREATE INDEX ix_link_next_check_at ON link (next_check_at);
CREATE INDEX ix_link_rc ON link (rc);
CREATE INDEX ix_link_challan_challan_id ON link_challan (challan_id);
CREATE INDEX ix_link_event_link_id ON link_event (link_id);
CREATE INDEX ix_intent_replaces ON intent (replaces);
CREATE INDEX ix_link_event_kind_link_id ON link_event (kind, link_id);
CREATE INDEX ix_link_first_seen_at_id ON link (first_seen_at, id);
CREATE INDEX ix_link_rc_rank_id ON link (rc_rank, id);
CREATE INDEX ix_link_ends_rank_id ON link (ends_rank, id);
CREATE INDEX ix_link_amount_rank_id ON link (amount_rank, id);
CREATE INDEX ix_link_status_id ON link (status, id);
CREATE INDEX ix_link_person_id_first_seen_at ON link (person_id, first_seen_at);
CREATE INDEX ix_link_looked_at ON link (looked_at);
CREATE INDEX ix_link_lease_until ON link (lease_until) WHERE lease_until IS NOT NULL;
CREATE INDEX ix_link_paid_at ON link (paid_at);
CREATE INDEX ix_link_status_status_since ON link (status, status_since);
CREATE INDEX ix_driver_name ON driver (name);
CREATE INDEX ix_driver_vehicle_rc ON driver_vehicle (rc);
CREATE INDEX ix_share_link_id_at ON share (link_id, at);
CREATE INDEX ix_share_driver_id_at ON share (driver_id, at);
CREATE INDEX ix_settlement_rc ON settlement (rc);
CREATE INDEX ix_settlement_due_at ON settlement (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX ix_finding_standing ON finding (kind, found_at, id) WHERE gone_at IS NULL AND seen_at IS NULL;
CREATE INDEX ix_finding_seen_at ON finding (seen_at, id) WHERE seen_at IS NOT NULL;
CREATE INDEX ix_follow_up_snoozed_until ON follow_up (snoozed_until);
CREATE INDEX ix_link_live ON link (first_seen_at, id) WHERE (status NOT IN ('CANCELLED', 'EXPIRED', 'FAILED', 'PAID'));
CREATE INDEX ix_link_status_first_seen_at_id ON link (status, first_seen_at, id);
CREATE INDEX ix_link_status_rc_rank_id ON link (status, rc_rank, id);
CREATE INDEX ix_link_status_ends_rank_id ON link (status, ends_rank, id);
CREATE INDEX ix_link_status_amount_rank_id ON link (status, amount_rank, id);
CREATE INDEX ix_link_challan_challan_no_link_id ON link_challan (challan_no, link_id);
CREATE INDEX ix_link_challan_challan_type_link_id ON link_challan (challan_type, link_id);
CREATE INDEX ix_link_person_id_status_status_since ON link (person_id, status, status_since);
CREATE INDEX ix_claim_challan_id ON claim (challan_id);
COMMIT;
