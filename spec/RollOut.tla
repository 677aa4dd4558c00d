------------------------------ MODULE RollOut -------------------------------
(***************************************************************************)
(* Instances of several versions, each with routes of its own, on one      *)
(* subscription. Whoever starts declares its routes; who owns it settles   *)
(* messages. Says what P11 says: a message that was committed after a      *)
(* route was declared is never settled without it.                         *)
(*                                                                         *)
(* In the product: Relay.declare and offer, ActiveRelay.knows,             *)
(* LackedDeclarations, OtherRoutes, RouteParking.keepForOther,             *)
(* DeclarationTable.                                                       *)
(***************************************************************************)
EXTENDS Integers, FiniteSets

CONSTANTS
  A, B, C,     \* instances; A has the first route, B the second, C both
  Messages,    \* how many are committed, at most
  Crashes,     \* how often an owner dies, at most
  Mutation     \* "none", or the name of what is broken on purpose

Instances == {A, B, C}
Routes == {1, 2}
Has(i) == IF i = A THEN {1} ELSE IF i = B THEN {2} ELSE Routes

VARIABLES
  started,     \* the instances that run
  declared,    \* the routes that are declared, in the database
  revision,    \* of what is declared
  committed,   \* how many messages
  wanted,      \* of a message: what was declared when it was committed
  settled,     \* the messages that are settled
  done,        \* of a message: the routes in which it took effect
  parked,      \* of a message: the routes in which it is parked
  owner,       \* an instance, or 0
  known,       \* what the owner knows to be declared
  knownAt,     \* and of which revision; -1 where it has not looked
  page,        \* the messages that it has read
  shown,       \* the revision that came with them
  crashes

vars == <<started, declared, revision, committed, wanted, settled, done, parked,
          owner, known, knownAt, page, shown, crashes>>
database == <<declared, revision, committed, wanted, settled, done, parked>>
memory == <<known, knownAt, page, shown>>
All == 1..Messages

Init ==
  /\ started = {} /\ declared = {} /\ revision = 0 /\ committed = 0
  /\ wanted = [m \in All |-> {}] /\ settled = {}
  /\ done = [m \in All |-> {}] /\ parked = [m \in All |-> {}]
  /\ owner = 0 /\ known = {} /\ knownAt = -1 /\ page = {} /\ shown = 0 /\ crashes = 0

Start(i) ==
  /\ i \notin started /\ started' = started \union {i}
  /\ declared' = declared \union Has(i)
  /\ revision' = IF Has(i) \subseteq declared THEN revision ELSE revision + 1
  /\ UNCHANGED <<committed, wanted, settled, done, parked, owner, memory, crashes>>

Commit ==
  /\ committed < Messages /\ committed' = committed + 1
  /\ wanted' = [wanted EXCEPT ![committed + 1] = declared]
  /\ UNCHANGED <<started, declared, revision, settled, done, parked, owner, memory, crashes>>

Take(i) ==
  /\ owner = 0 /\ i \in started /\ owner' = i
  /\ known' = {} /\ knownAt' = -1 /\ page' = {} /\ shown' = 0
  /\ UNCHANGED <<started, database, crashes>>

\* One snapshot of the messages and of the revision.
Read ==
  /\ owner # 0 /\ page = {}
  /\ page' = (1..committed) \ settled /\ page' # {}
  /\ shown' \in IF Mutation = "revisionOfAnEarlierSnapshot" THEN 0..revision ELSE {revision}
  /\ UNCHANGED <<started, database, owner, known, knownAt, crashes>>

\* The declarations are loaded after the page, so that they may be newer.
Learn ==
  /\ owner # 0 /\ page # {} /\ shown # knownAt
  /\ known' = declared /\ knownAt' = shown
  /\ UNCHANGED <<started, database, owner, page, shown, crashes>>

Dispatch(m) ==
  /\ owner # 0 /\ m \in page
  /\ \/ shown = knownAt
     \/ Mutation = "dispatchesWithoutLearning"
  /\ page' = page \ {m} /\ settled' = settled \union {m}
  /\ done' = [done EXCEPT ![m] = @ \union Has(owner)]
  /\ parked' = [parked EXCEPT ![m] =
       IF Mutation = "settlesWhatItLacks" THEN @ ELSE @ \union (known \ (Has(owner) \union done[m]))]
  /\ UNCHANGED <<started, declared, revision, committed, wanted, owner, known, knownAt, shown, crashes>>

\* Only an owner that has the route tries what is parked in it.
Try(m, r) ==
  /\ owner # 0 /\ r \in parked[m]
  /\ \/ r \in Has(owner)
     \/ Mutation = "passesOverWhatItLacks"
  /\ parked' = [parked EXCEPT ![m] = @ \ {r}]
  /\ done' = [done EXCEPT ![m] = IF r \in Has(owner) THEN @ \union {r} ELSE @]
  /\ UNCHANGED <<started, declared, revision, committed, wanted, settled, owner, memory, crashes>>

\* To one that has what it lacks, once all that it has read is settled.
HandOver ==
  /\ owner # 0 /\ page = {} /\ Mutation # "keepsTheLease"
  /\ \E i \in started :
       /\ ~(Has(i) \subseteq Has(owner)) /\ owner' = i
  /\ known' = {} /\ knownAt' = -1 /\ page' = {} /\ shown' = 0
  /\ UNCHANGED <<started, database, crashes>>

\* What it has read and not settled is read again.
Crash ==
  /\ owner # 0 /\ crashes < Crashes /\ crashes' = crashes + 1 /\ owner' = 0
  /\ started' = started \ {owner}
  /\ known' = {} /\ knownAt' = -1 /\ page' = {} /\ shown' = 0
  /\ UNCHANGED database

Settle == Read \/ Learn \/ (\E m \in All : Dispatch(m))
Next ==
  \/ \E i \in Instances : Start(i) \/ Take(i)
  \/ Commit \/ Settle \/ HandOver \/ Crash
  \/ \E m \in All, r \in Routes : Try(m, r)
Fairness ==
  /\ \A i \in Instances : WF_vars(Start(i)) /\ WF_vars(Take(i))
  /\ WF_vars(Settle) /\ SF_vars(HandOver)
  /\ \A m \in All, r \in Routes : SF_vars(Try(m, r))
Spec == Init /\ [][Next]_vars
FairSpec == Spec /\ Fairness

(***************************************************************************)
(* What is promised; and what must be reachable, so must be violated.      *)
(***************************************************************************)
P11_NeverWithoutIt ==
  \A m \in settled : wanted[m] \subseteq (done[m] \union parked[m])
P11_TakesEffect ==
  <>[](\A m \in 1..committed : wanted[m] \subseteq done[m])

Never_Parked == \A m \in All : parked[m] = {}
Never_BothLack == ~(started = {A, B} /\ \E m \in All : done[m] = Routes)
=============================================================================
