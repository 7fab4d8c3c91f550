(** * The first two moves of every strategy that wins by ply 46

    After his second mark he has 21 more up to ply 45. A symmetry that takes (i, j) to one of twelve pairs takes along
    what begins with (i, i), (i, j); so the data are tables for twelve times eight third marks, his second ones.

    Plan: these beginnings; [first_two_moves_from]; what it says of strategies, and of those that are [optimal]; the
    abstract. *)

From Coq Require Import List Bool Arith Lia.
Import ListNotations.
From U3T Require Import Rules Game Facts Play Strategy Upper AtLeast29 Symmetry Lower.

(** ** Third marks *)

Definition third_marks : list beginning :=
  flat_map (fun '(i, j) => map (fun k => [(i, i); (i, j); (j, k)]) (filter (fun k => negb (same k i)) squares)) pairs.

Lemma third_mark_is_listed : forall i j k, In (i, j) pairs -> k <> i -> In [(i, i); (i, j); (j, k)] third_marks.
Proof.
  intros i j k P N. apply in_flat_map. exists (i, j). split; [exact P|]. apply in_map_iff. exists k. split; [easy|].
  apply filter_In. split; [apply in_squares|]. now destruct (same_spec k i).
Qed.

(** After (i, i) and (i, j) he is sent to field j. *)
Lemma second_moves : forall i j, i < 9 -> j < 9 -> i <> j -> let p := play (play start (i, i)) (i, j) in
  In (i, i) (legal_moves start) /\ In (i, j) (legal_moves (play start (i, i))) /\
  active p = Some j /\ In (j, i) (legal_moves p).
Proof.
  intros i j I J N p. subst p. apply in_nine in I, J. rewrite !legal_moves_are. simpl in I, J.
  repeat destruct I as [<-|I]; try easy; repeat destruct J as [<-|J]; try easy; vm_compute; intuition lia.
Qed.

(** ** The first two moves *)

Theorem first_two_moves_from : Forall (held 22) no_doubles -> Forall (held 21) third_marks -> first_two_moves_statement.
Proof.
  intros First Third. split.
  - intros m I F. destruct (lemma_6_from First m I F) as (i & _ & E). now exists i.
  - intros i j [a b] Li Lj N p I F. destruct (second_moves i j Li Lj N) as (I1 & I2 & A & _).
    assert (a = j) as -> by (apply legal_moves_are in I as (_ & _ & [E|[E _]] & _); fold p in A; congruence).
    pose proof (legal_spot _ _ _ I) as Lb. f_equal.
    destruct (square_of_number i Li) as [f <-]. destruct (square_of_number j Lj) as [s <-].
    destruct (square_of_number b Lb) as [t <-]. f_equal.
    destruct (same_spec f t) as [<-|N']; [easy|exfalso].
    destruct (every_pair f s) as (to & from & Sym & P); [congruence|].
    assert (N'' : to t <> to f) by (intro X; apply N'; now rewrite <- (from_to _ _ Sym f), <- X, (from_to _ _ Sym t)).
    rewrite Forall_forall in Third.
    refine (held_prevents to from 21 [(f, f); (f, s); (s, t)] 46 Sym (Third _ (third_mark_is_listed _ _ _ P N''))
              (conj I1 (conj I2 (conj I Logic.I))) eq_refl _ F).
    simpl. lia.
Qed.

(** ** Of strategies *)

(** The strategy begins with a double (i, i), and answers each (i, j) with (j, i). *)
Definition begins_with_a_double (s : strategy) : Prop :=
  exists i, i < 9 /\ s start = (i, i) /\
    forall j, j < 9 -> j <> i -> s (play (play start (i, i)) (i, j)) = (j, i).

Theorem first_two_moves_of_strategies : forall n, first_two_moves_by n ->
  forall s, wins_by n s -> begins_with_a_double s.
Proof.
  intros n [First Third] s W.
  assert (next : forall p, reached Xavier s p -> turn p = Xavier -> legal_moves p <> [] ->
                 In (s p) (legal_moves p) /\ reached Xavier s (play p (s p)) /\ forces n (play p (s p))).
  { intros p R T N. pose proof (proj1 W p R T N) as I.
    assert (R' : reached Xavier s (play p (s p))) by (now apply by_a_move).
    split; [exact I|]. split; [exact R' | exact (wins_by_forces_from n s _ W R')]. }
  destruct (next start (at_the_start _ _) eq_refl) as (I & R & F); [easy|].
  destruct (First _ I F) as [i E]. rewrite E in I, R. exists i.
  pose proof (legal_spot _ _ _ I) as Li. split; [exact Li|]. split; [exact E|]. intros j Lj N.
  destruct (second_moves i j Li Lj) as (_ & J & _ & Back); [congruence|].
  set (p := play (play start (i, i)) (i, j)) in *.
  assert (R' : reached Xavier s p) by (apply by_a_move; [exact R | exact J | easy]).
  destruct (next p R' eq_refl) as (I' & _ & F').
  - intro None_. fold p in Back. now rewrite None_ in Back.
  - apply Third; auto.
Qed.

Corollary first_two_moves_of_optimal : first_two_moves_by 46 -> forall s, optimal s -> begins_with_a_double s.
Proof.
  intros First s (n & W & Least). apply (first_two_moves_of_strategies 46 First).
  apply wins_by_monotone with n; [|exact W]. pose proof (Least 43 xavier lemma_3). lia.
Qed.

(** ** The abstract *)

(** He has a strategy that wins; he can force it by ply 43, and not before ply 29; and how he has to begin. *)
Definition abstract_statement : Prop :=
  (exists s, wins_by 81 s) /\ forces 43 start /\ (forall n, forces n start -> 29 <= n) /\ first_two_moves_by 46.

Theorem abstract_from : first_two_moves_by 46 -> abstract_statement.
Proof.
  intro First. split; [|exact (conj at_most_43 (conj at_least_29 First))].
  exists xavier. apply wins_by_monotone with 43; [lia | exact lemma_3].
Qed.
