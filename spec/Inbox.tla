------------------------------- MODULE Inbox --------------------------------
(***************************************************************************)
(* One message id at one consumer, delivered again and again, to several   *)
(* threads at once. The inbox row and the effect are one transaction. Says *)
(* what P5 (an effect happens once) says, and that none is skipped.        *)
(*                                                                         *)
(* In the product: io.outledger.inbox (Inbox, InboxRetention), and of      *)
(* io.outledger.postgresql PostgresInbox's insert and PostgresRetention.   *)
(***************************************************************************)
EXTENDS Integers, FiniteSets

CONSTANTS
  Threads,    \* each handles one delivery at a time
  Span,    \* how long after the first delivery the sender may deliver again
  Retention,  \* how long the inbox remembers; checked at start not to be less
  Failures,   \* how often a transaction rolls back, or a consumer dies, at most
  Mutation    \* "none", or the name of what is broken on purpose

VARIABLES
  at,          \* of a thread: idle, received, inserted, worked, committed, duplicate
  row,         \* whether the inbox's row is committed
  age,         \* since the first delivery
  effects,     \* committed ones
  acknowledged,
  failures

vars == <<at, row, age, effects, acknowledged, failures>>
To(t, where) == at' = [at EXCEPT ![t] = where]

Init ==
  /\ at = [t \in Threads |-> "idle"] /\ row = FALSE /\ age = 0 /\ effects = 0
  /\ acknowledged = FALSE /\ failures = 0

\* Acknowledged or not: a relay may have sent it twice.
Deliver(t) ==
  /\ at[t] = "idle" /\ age <= Span /\ To(t, "received")
  /\ acknowledged' = (acknowledged \/ Mutation = "acknowledgedBeforeCommit")
  /\ UNCHANGED <<row, age, effects, failures>>

\* The insert waits for another transaction that has inserted the id and not ended.
Insert(t) ==
  /\ at[t] = "received"
  /\ \/ Mutation = "lookedUpThenInserted"
     \/ \A u \in Threads : at[u] \notin {"inserted", "worked"}
  /\ To(t, IF row THEN "duplicate" ELSE "inserted")
  /\ row' = (row \/ Mutation = "rowInATransactionOfItsOwn")
  /\ UNCHANGED <<age, effects, acknowledged, failures>>

Work(t) ==
  /\ at[t] = "inserted" /\ To(t, "worked")
  /\ UNCHANGED <<row, age, effects, acknowledged, failures>>

Commit(t) ==
  /\ at[t] = "worked" /\ To(t, "committed")
  /\ row' = TRUE /\ effects' = effects + 1
  /\ UNCHANGED <<age, acknowledged, failures>>

\* At any point: what is not committed is rolled back, what is not acknowledged comes again.
Fail(t) ==
  /\ at[t] # "idle" /\ failures < Failures /\ To(t, "idle") /\ failures' = failures + 1
  /\ UNCHANGED <<row, age, effects, acknowledged>>

Acknowledge(t) ==
  /\ at[t] \in {"committed", "duplicate"} /\ To(t, "idle") /\ acknowledged' = TRUE
  /\ UNCHANGED <<row, age, effects, failures>>

\* Handling a delivery is part of the span.
Tick ==
  /\ age <= Retention + 1 /\ age' = age + 1
  /\ age = Span => \A t \in Threads : at[t] = "idle"
  /\ UNCHANGED <<at, row, effects, acknowledged, failures>>

Purge ==
  /\ row /\ (age > Retention \/ Mutation = "forgetsBeforeTheSpanEnds") /\ row' = FALSE
  /\ UNCHANGED <<at, age, effects, acknowledged, failures>>

OfThread(t) == Deliver(t) \/ Insert(t) \/ Work(t) \/ Commit(t) \/ Fail(t) \/ Acknowledge(t)
Next == (\E t \in Threads : OfThread(t)) \/ Tick \/ Purge
Spec == Init /\ [][Next]_vars

(***************************************************************************)
(* What is promised; and what must be reachable, so must be violated.      *)
(***************************************************************************)
P5_EffectOnce == effects <= 1 /\ (acknowledged => effects = 1)

Never_TwoAtOnce ==
  ~(\E t, u \in Threads : at[t] = "worked" /\ at[u] = "received")
Never_SecondRunsAfterRollBack == ~(failures > 0 /\ effects = 1)
Never_Duplicate == ~(\E t \in Threads : at[t] = "duplicate")
Never_Forgotten == ~(effects = 1 /\ ~row)
=============================================================================
