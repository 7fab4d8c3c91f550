(** * What the check answers is so

    Plan: equality of states; formulas that do not speak of the number of moves; what [followers] leaves out, which is
    nothing; a closed map shows [keeps] and [forces]; lines; players against each other. It ends with two theorems:

    - [check_sound]: [check g c es = true -> holds g c],
    - [refute_sound]: [refute g c e = true -> ~ holds g c]. *)

From Coq Require Import List ZArith NArith Bool Lia FMapPositive.
Import ListNotations.
From General Require Import Game Claim Check.

(** ** Lists and states *)

Lemma all_holds {A} (f : A -> bool) l : all f l = true -> forall a, In a l -> f a = true.
Proof. exact (proj1 (forallb_forall f l)). Qed.

Lemma is_in_spec m ms : is_in m ms = true <-> In m ms.
Proof.
  etransitivity; [exact (existsb_exists (Nat.eqb m) ms)|]. split; [|exists m; now rewrite Nat.eqb_refl].
  intros (k & I & E). apply Nat.eqb_eq in E. now subst k.
Qed.

Lemma is_same_spec a b : is_same a b = true -> a = b.
Proof. destruct a, b; easy. Qed.

Lemma is_same_state_spec x y : is_same_state x y = true -> x = y.
Proof.
  destruct x as [w n [cs t]], y as [w' n' [cs' t']]. unfold is_same_state; simpl.
  destruct (list_eq_dec Z.eq_dec cs cs') as [->|]; [|now rewrite andb_false_r].
  rewrite andb_true_r, !andb_true_iff. intros [[W N] T].
  apply eqb_prop in W. apply Nat.eqb_eq in N. apply is_same_spec in T. now subst.
Qed.

(** ** Formulas that do not speak of the number of moves *)

Definition alike (v w : view) : Prop := seen v = seen w /\ is_stuck v = is_stuck w /\ stands v = stands w.

Ltac split_tests := repeat match goal with H : _ && _ = true |- _ => apply andb_prop in H; destruct H end.

Fixpoint timeless_term v w (a : alike v w) t {struct t} : is_timeless_term t = true -> value v t = value w t
with timeless_formula v w (a : alike v w) f {struct f} : is_timeless f = true -> true_in v f = true_in w f.
Proof.
  - destruct a as (S & K & O) eqn:E. destruct t; simpl; intros T; split_tests; rewrite ?S; try easy.
    + induction fs as [|f fs IH]; simpl in *; [easy|]. destruct (is_timeless f) eqn:F; [|easy].
      now rewrite (timeless_formula v w a f F), IH.
    + induction ts as [|t ts IH]; simpl in *; [easy|]. destruct (is_timeless_term t) eqn:F; [|easy].
      now rewrite (timeless_term v w a t F), IH.
    + now rewrite (timeless_term v w a t1), (timeless_term v w a t2).
    + now rewrite (timeless_formula v w a f), (timeless_term v w a t1), (timeless_term v w a t2).
  - destruct a as (S & K & O) eqn:E. destruct f; simpl; intros T; split_tests; rewrite ?S, ?K, ?O; try easy;
      try (now rewrite (timeless_term v w a a0), (timeless_term v w a b));
      try (now rewrite (timeless_formula v w a f1), (timeless_formula v w a f2)); [| | |f_equal].
    1: now rewrite (timeless_formula v w a f).
    all: induction fs as [|f fs IH]; simpl in *; [easy|]; destruct (is_timeless f) eqn:F; [|easy];
      now rewrite (timeless_formula v w a f F), IH.
Qed.

Lemma timeless_first_offer v w rs :
  alike v w -> all (all (fun c : formula * nat => is_timeless (fst c))) rs = true -> first_offer v rs = first_offer w rs.
Proof.
  intros A T. induction rs as [|r rs IH]; simpl in *; [easy|]. destruct (all _ r) eqn:R; [|easy]. rewrite (IH T).
  replace (offers v r) with (offers w r); [easy|]. unfold offers. f_equal. apply filter_ext_in. intros c I.
  symmetry. apply timeless_formula; [easy | exact (all_holds _ _ R c I)].
Qed.

Lemma timeless_choices v w phases : alike v w -> is_timeless_strategy phases = true -> choices v phases = choices w phases.
Proof.
  unfold is_timeless_strategy. intros A T. induction phases as [|phase phases IH]; cbn [choices all] in *; [easy|].
  destruct (all _ phase) eqn:P; [|easy]. rewrite (IH T). pose proof (all_holds _ _ P) as I.
  rewrite (filter_ext_in (fun i => true_in v (opens i)) (fun i => true_in w (opens i)) phase).
  2: { intros i Hi. apply I in Hi. split_tests. now apply timeless_formula. }
  destruct (filter _ phase) as [|i0 l] eqn:F; [easy|]. rewrite <- F, !flat_map_concat_map. f_equal. apply map_ext_in.
  intros i Hi. apply filter_In in Hi. destruct Hi as [Hi _]. apply I in Hi. split_tests. now apply timeless_first_offer.
Qed.

(** ** Walks *)

Section Walks.

Variable g : rules.
Variable s : setting.
Variable counted : bool.
Variable on : bool.
Variable done fine : view -> bool.
Variable t : table.

Let lab := label counted.

Hypothesis same_done : forall n p, done (look g (lab n) p) = done (look g n p).
Hypothesis same_fine : forall n p, fine (look g (lab n) p) = fine (look g n p).
Hypothesis same_end : forall n p, goes_on s (look g (lab n) p) = goes_on s (look g n p).
Hypothesis same_choices : forall n p phases,
  strategy_of s (turn p) = Some phases -> choices (look g (lab n) p) phases = choices (look g n p) phases.

Lemma legal_is_possible n p : goes_on s (look g n p) = true -> legal g p = possible g p.
Proof. unfold goes_on, legal. simpl. now destruct (is_going (outcome_of g p)). Qed.

(** A claimant who chooses goes on by a legal move of his; against all others nothing is left out. *)
Lemma followers_sound n p qs : legal g p = possible g p ->
  followers s t (lab n) (look g (lab n) p) (possible g p) = Some qs ->
  if is_chooser s (turn p)
  then exists m q, In q qs /\ In (m, q) (legal g p) /\ allows s (look g n p) m
  else is_sound g s (look g n p) /\ forall m q, In (m, q) (legal g p) -> allows s (look g n p) m -> In q qs.
Proof.
  intros <-. unfold followers, is_sound, allows. pose proof (same_choices n p) as C. cbn [seen look].
  destruct (strategy_of s (turn p)) as [phases|]; [rewrite (C phases eq_refl); set (ms := choices (look g n p) phases)|];
    destruct (is_chooser s (turn p)).
  1, 3: destruct (Map.find _ _) as [k|]; [|easy]; destruct (filter _ _) as [|[m q] l] eqn:F; [easy|]; intros [= <-];
    exists m, q; assert (In (m, q) ((m, q) :: l)) as I by (now left); rewrite <- F in I;
    apply filter_In in I; destruct I as [I _];
    try (apply filter_In in I; destruct I as [I A]; apply is_in_spec in A); simpl in *; auto.
  - destruct ms as [|m0 ms0] eqn:E; [easy|]. rewrite <- E.
    destruct (all _ ms) eqn:L; [|easy]. intros [= <-]. repeat split.
    + congruence.
    + intros m I. apply is_in_spec. exact (all_holds _ _ L m I).
    + intros m q I A. apply in_map_iff. exists (m, q). split; [easy|]. apply filter_In. split; [easy|].
      now apply is_in_spec.
  - intros [= <-]. split; [easy|]. intros m q I _. apply in_map_iff. now exists (m, q).
Qed.

Variable m : Map.t (state * N).

Definition is_entry (x : state) (r : N) : Prop := Map.find (key_of_state x) m = Some (x, r).

Hypothesis closed : forall x r, is_entry x r -> is_right g s counted on done fine t m x r = true.

Lemma entry_right b n p r :
  is_entry (State b (lab n) p) r ->
  let w := b && negb (done (look g n p)) in
  (if w then goes_on s (look g n p) = true else fine (look g n p) = true) /\
  (goes_on s (look g n p) = true -> w = true \/ b = false \/ on = true ->
     exists qs, followers s t (lab n) (look g (lab n) p) (possible g p) = Some qs /\
     forall q, In q qs -> exists below, is_entry (State w (lab (S n)) q) below /\ (w = true -> (below < r)%N)).
Proof.
  intros E w. pose proof (closed _ _ E) as R. unfold is_right, study, survey in R. cbn [made at_position waits] in R.
  change (View p (Z.of_nat (lab n)) (is_nil (possible g p)) (judge g p (is_nil (possible g p)))) with (look g (lab n) p) in R.
  rewrite same_end, same_fine, same_done in R.
  replace (if b then negb (done (look g n p)) else false) with w in R by (unfold w; now destruct b).
  apply andb_prop in R. destruct R as [R1 R2]. split.
  - now destruct w.
  - intros G O. rewrite G in R2.
    replace (if b then on || w else true) with true in R2 by (destruct b, w, on, O as [|[|]]; easy).
    destruct (followers s t (lab n) _ _) as [qs|]; [|easy]. exists qs. split; [easy|].
    intros q I. replace (label counted (S (lab n))) with (lab (S n)) in R2 by (unfold lab, label; now destruct counted).
    pose proof (all_holds _ _ R2 (State w (lab (S n)) q) (in_map _ _ _ I)) as Y. simpl in Y.
    destruct (Map.find _ m) as [[z below]|] eqn:F; [|easy]. apply andb_prop in Y. destruct Y as [Y L].
    apply is_same_state_spec in Y. subst z. exists below. split; [exact F|].
    intros ->. now apply N.ltb_lt.
Qed.

Lemma entry_keeps : forall n p b r,
  is_entry (State b (lab n) p) r -> b && negb (done (look g n p)) = false -> b = false \/ on = true -> keeps g s fine n p.
Proof.
  cofix go. intros n p b r E B O. destruct (entry_right b n p r E) as [R F]. rewrite B in *.
  destruct (goes_on s (look g n p)) eqn:G; [|now apply to_the_end].
  destruct (F eq_refl (or_intror O)) as (qs & Q & next). clear F.
  apply (followers_sound n p qs (legal_is_possible n p G)) in Q. destruct (is_chooser s (turn p)) eqn:C.
  - destruct Q as (k & q & I & L & A). destruct (next q I) as (below & E' & _).
    apply (by_a_choice g s fine n p k q R G C L A). exact (go (S n) q false below E' eq_refl (or_introl eq_refl)).
  - destruct Q as [S' all_]. apply (by_all_moves g s fine n p R G C S'). intros k q L A.
    destruct (next q (all_ k q L A)) as (below & E' & _). exact (go (S n) q false below E' eq_refl (or_introl eq_refl)).
Qed.

Lemma entry_forces : fine = (fun _ => true) -> forall r n p, is_entry (State true (lab n) p) r -> forces g s on done n p.
Proof.
  intros any. induction r as [r IH] using (well_founded_induction N.lt_wf_0). intros n p E.
  destruct (entry_right true n p r E) as [R F]. destruct (done (look g n p)) eqn:D.
  - apply is_done; [easy|]. intros O. rewrite <- any. apply (entry_keeps n p true r E); [now rewrite D | now right].
  - simpl in R, F. destruct (F R (or_introl eq_refl)) as (qs & Q & next).
    apply (followers_sound n p qs (legal_is_possible n p R)) in Q. destruct (is_chooser s (turn p)) eqn:C.
    + destruct Q as (k & q & I & L & A). destruct (next q I) as (below & E' & lt).
      apply (forces_by_a_choice g s on done n p k q R C L A). exact (IH below (lt eq_refl) (S n) q E').
    + destruct Q as [S' all_]. apply (forces_by_all_moves g s on done n p R C S'). intros k q L A.
      destruct (next q (all_ k q L A)) as (below & E' & lt). exact (IH below (lt eq_refl) (S n) q E').
Qed.

End Walks.

(** ** Objectives *)

Section Labels.

Variable s : setting.
Hypothesis timeless : is_timeless_setting s = true.

Lemma same_end_at v w : alike v w -> goes_on s v = goes_on s w.
Proof. intros (_ & _ & O). unfold goes_on. rewrite O. unfold is_timeless_setting in timeless. now destruct (horizon s). Qed.

Lemma same_choices_at v w who phases :
  alike v w -> strategy_of s who = Some phases -> choices v phases = choices w phases.
Proof.
  intros A E. apply andb_prop in timeless. destruct timeless as [_ T]. apply timeless_choices; [easy|].
  apply (all_holds _ _ T (Some phases)). rewrite <- E. unfold strategy_of. destruct who; simpl; auto.
Qed.

Lemma same_seen_at at_ f v w :
  alike v w -> all is_timeless_scope at_ = true -> is_timeless f = true -> is_seen s at_ f v = is_seen s at_ f w.
Proof.
  intros A S T. unfold is_seen. rewrite (timeless_formula v w A f T).
  replace (some (is_at s v) at_) with (some (is_at s w) at_); [easy|].
  induction at_ as [|o at_ IH]; simpl in *; [easy|]. destruct (is_timeless_scope o) eqn:W; [|easy].
  rewrite (IH S). pose proof (same_end_at v w A) as E. destruct A as (P & _ & O).
  destruct o; try easy; simpl; now rewrite ?E, ?P, ?O.
Qed.

End Labels.

Lemma shown_by_sound g s o counted entries :
  is_shown_by g s o counted entries = true ->
  if is_reach o then forces g s (goes_on_after o) (done_of o) (moves_before s) (start s)
  else keeps g s (fine_of s o) (moves_before s) (start s).
Proof.
  unfold is_shown_by, is_shown. intros H. apply andb_prop in H. destruct H as [B H]. revert H.
  generalize (collect g s counted (goes_on_after o) (done_of o) (read_table entries)
    (State (is_reach o) (label counted (moves_before s)) (start s))).
  intros m H. apply andb_prop in H. destruct H as [H A]. destruct (Map.find _ m) as [[x r]|] eqn:E; [|easy].
  apply is_same_state_spec in H. subst x.
  pose proof (fun y r I => all_holds _ _ A (key_of_state y, (y, r)) (Map.elements_correct m _ I)) as closed. clear A.
  assert (
    (forall n p, done_of o (look g (label counted n) p) = done_of o (look g n p)) /\
    (forall n p, fine_of s o (look g (label counted n) p) = fine_of s o (look g n p)) /\
    (forall n p, goes_on s (look g (label counted n) p) = goes_on s (look g n p)) /\
    (forall n p phases, strategy_of s (turn p) = Some phases ->
       choices (look g (label counted n) p) phases = choices (look g n p) phases)) as (D & F & G & C).
  { destruct counted; [easy|]. simpl in B. apply andb_prop in B. destruct B as [S T].
    assert (forall n k p, alike (look g n p) (look g k p)) as A by easy. repeat split; intros.
    - destruct o as [f [k|] | | |]; try easy. now apply timeless_formula.
    - destruct o as [|f [k|] |at_ f|at_ f]; try easy; simpl in *; f_equal; try (now apply timeless_formula);
        apply andb_prop in T; destruct T; now apply same_seen_at.
    - now apply same_end_at.
    - now apply (same_choices_at s S _ _ (turn p)). }
  destruct (is_reach o) eqn:R.
  - apply (entry_forces g s counted _ _ _ _ D F G C _ closed) with r; [now destruct o | exact E].
  - exact (entry_keeps g s counted _ _ _ _ D F G C _ closed _ _ false r E eq_refl (or_introl eq_refl)).
Qed.

(** ** Plays in which nobody chooses *)

(** A step of a line. *)
Lemma arrive_next g s done n p m line at_ :
  arrive g s done n p (m :: line) = Some at_ ->
  done (look g n p) = false /\ goes_on s (look g n p) = true /\ allows s (look g n p) m /\
  exists q, In (m, q) (legal g p) /\ arrive g s done (S n) q line = Some at_.
Proof.
  simpl. destruct (done (look g n p)); [easy|]. destruct (goes_on s (look g n p)); [simpl|easy].
  destruct (is_allowed s (look g n p) m) eqn:A; [|easy].
  destruct (find _ (legal g p)) as [[k q]|] eqn:F; [|easy]. intros H.
  apply find_some in F. destruct F as [I E]. apply Nat.eqb_eq in E. simpl in E. subst k.
  repeat split; [|now exists q]. unfold is_allowed in A. unfold allows. destruct (strategy_of _ _); [now apply is_in_spec | easy].
Qed.

Lemma arrive_comes g s done line : forall n p n' p',
  arrive g s done n p line = Some (n', p') -> comes_to g s n p -> comes_to g s n' p'.
Proof.
  induction line as [|m line IH]; intros n p n' p' H C.
  - simpl in H. destruct (done (look g n p)); [easy|]. now injection H as <- <-.
  - apply arrive_next in H. destruct H as (_ & G & A & q & I & H). apply (IH _ _ _ _ H).
    exact (by_a_move g s n p m q C G I A).
Qed.

Lemma has_move g s n p : goes_on s (look g n p) = true -> is_sound g s (look g n p) ->
  exists m q, In (m, q) (legal g p) /\ allows s (look g n p) m.
Proof.
  unfold is_sound, allows. intros G S'. cbn [seen look] in *. destruct (strategy_of s (turn p)) as [phases|].
  - destruct S' as [N L]. destruct (choices (look g n p) phases) as [|m ms]; [easy|].
    specialize (L m (or_introl eq_refl)). apply in_map_iff in L. destruct L as ((k & q) & <- & I).
    exists k, q. simpl. auto.
  - rewrite (legal_is_possible g s n p G). apply andb_prop in G. destruct G as [G _]. simpl in G.
    unfold outcome_of, judge in G. destruct (possible g p) as [|[m q] l]; simpl in *.
    + destruct (first_verdict _ _); easy.
    + exists m, q. auto.
Qed.

Lemma keeps_next g s fine n p : chooses s = false -> keeps g s fine n p ->
  fine (look g n p) = true /\
  (goes_on s (look g n p) = true -> is_sound g s (look g n p) /\
     forall m q, In (m, q) (legal g p) -> allows s (look g n p) m -> keeps g s fine (S n) q).
Proof.
  intros N K. inversion K; subst; split; auto; try congruence. unfold is_chooser in *. now rewrite N in *.
Qed.

Lemma every_play g s fine n p : chooses s = false ->
  keeps g s fine (moves_before s) (start s) -> comes_to g s n p -> keeps g s fine n p.
Proof.
  intros N K C. induction C as [|n p m q _ IH G I A]; [easy|].
  exact (proj2 (proj2 (keeps_next g s fine n p N IH) G) m q I A).
Qed.

Lemma sound_is_unbroken g s t n v :
  chooses s = false -> (goes_on s v = true -> is_sound g s v) -> breaks_down g s t n v = false.
Proof.
  unfold is_sound, breaks_down, followers, is_chooser. intros N H. destruct (goes_on s v); [specialize (H eq_refl)|easy].
  rewrite N. destruct (strategy_of s (turn (seen v))) as [phases|]; [|easy]. destruct H as [E L].
  destruct (choices v phases) as [|m ms]; [easy|]. replace (all _ _) with true; [easy|]. symmetry. apply forallb_forall.
  intros k I. now apply is_in_spec, L.
Qed.

(** If play goes on after the goal, no strategy breaks down at all. *)
Lemma forces_keeps g s on done n p : forces g s on done n p -> on = true -> keeps g s (fun _ => true) n p.
Proof. intros F O. induction F; [auto | now apply (by_a_choice g s _ n p m q); auto | now apply by_all_moves; auto]. Qed.

Lemma forces_next g s on done n p : chooses s = false -> forces g s on done n p -> done (look g n p) = false ->
  goes_on s (look g n p) = true /\ is_sound g s (look g n p) /\
  forall m q, In (m, q) (legal g p) -> allows s (look g n p) m -> forces g s on done (S n) q.
Proof.
  intros N F D. inversion F; subst; try congruence; auto. unfold is_chooser in *. now rewrite N in *.
Qed.

Lemma forces_along g s on done line : chooses s = false -> forall n p n' p',
  forces g s on done n p -> arrive g s done n p line = Some (n', p') -> forces g s on done n' p' /\ done (look g n' p') = false.
Proof.
  intros N. induction line as [|m line IH]; intros n p n' p' F H.
  - simpl in H. destruct (done (look g n p)) eqn:D; [easy|]. injection H as <- <-. auto.
  - apply arrive_next in H. destruct H as (D & G & A & q & I & H).
    destruct (forces_next g s on done n p N F D) as (_ & _ & next). exact (IH _ _ _ _ (next m q I A) H).
Qed.

Lemma never_done g s on done n p : chooses s = false ->
  forces g s on done n p -> (forall k q, n <= k -> done (look g k q) = false) -> False.
Proof.
  intros N F. induction F as [n p D _ | n p m q _ C | n p G _ S' _ IH]; intros late.
  - now rewrite late in D.
  - unfold is_chooser in C. now rewrite N in C.
  - destruct (has_move g s n p G S') as (m & q & I & A). apply (IH m q I A). intros; apply late; lia.
Qed.

Lemma broken_refutes g s o line : chooses s = false -> is_broken g s o line = true ->
  (forall at_ f, o <> Possibly at_ f) -> ~ meets g s o.
Proof.
  unfold is_broken. intros N B P M. apply orb_prop in B. destruct B as [B|B]; apply andb_prop in B; destruct B as [O B];
    destruct (arrive g s _ _ _ line) as [[n p]|] eqn:A; try easy.
  - assert (keeps g s (fine_of s o) (moves_before s) (start s)) as K.
    { destruct o; try easy; [exact (forces_keeps g s _ _ _ _ M O) | now destruct (P _ _ eq_refl)]. }
    apply (every_play g s _ n p N) in K; [|exact (arrive_comes g s _ _ _ _ _ _ A (at_the_start g s))].
    destruct (keeps_next g s _ n p N K) as [F next]. rewrite F, orb_false_r in B.
    now rewrite (sound_is_unbroken g s _ _ (look g n p) N (fun G => proj1 (next G))) in B.
  - destruct o as [goal k| | |]; try easy. simpl in M.
    destruct (forces_along g s _ _ _ N _ _ _ _ M A) as [F D]. destruct (forces_next g s _ _ n p N F D) as (G & S' & next).
    rewrite (sound_is_unbroken g s _ _ (look g n p) N (fun _ => S')), G in B. destruct k as [k|]; [|easy].
    apply Nat.leb_le in B. destruct (has_move g s n p G S') as (m & q & I & L).
    apply (never_done g s _ _ (S n) q N (next m q I L)). intros k' q' le. simpl. unfold is_met. cbn [ply look].
    destruct (Z.leb_spec (Z.of_nat k') (Z.of_nat k)); [lia | easy].
Qed.

(** ** One player against the other *)

Lemma not_both g s on done n p : chooses s = true ->
  forces g s on done n p -> keeps g (opposed s) (fun v => negb (done v)) n p -> False.
Proof.
  intros N F. induction F as [n p D _ | n p m q G C I A _ IH | n p G C S' _ IH]; intros K; inversion K; subst.
  1-3: now rewrite D in *.
  1, 4: change (goes_on (opposed s)) with (goes_on s) in *; congruence.
  - unfold is_chooser in *. simpl in *. rewrite N in *. now destruct (turn p), (claimant s).
  - eauto.
  - eauto.
  - unfold is_chooser in *. simpl in *. rewrite N in *. now destruct (turn p), (claimant s).
Qed.

(** What the other player can bring about refutes the claim. *)
Theorem opponent_claim_refutes g c : chooses (plays c) = true -> flat_map opposites (objectives c) <> [] ->
  holds g (opponent_claim c) -> ~ holds g c.
Proof.
  unfold holds, opponent_claim. simpl. set (s := plays c). intros N. induction (objectives c) as [|o os IH]; [easy|].
  intros O H A. inversion A as [|? ? M A']; subst. simpl in O, H. apply Forall_app in H. destruct H as [H H'].
  destruct o as [goal k|goal k| |]; try (now apply IH); apply Forall_inv in H; simpl in *.
  - exact (not_both g s _ _ _ _ N M H).
  - apply (not_both g (opposed s) (is_some k) (is_met goal k) (moves_before s) (start s)); [easy | easy |].
    now destruct s as [? ? ? ? ? [|] ?].
Qed.

(** ** The theorems *)

Lemma check_one_sound g s o e : check_one g s o e = true -> meets g s o.
Proof.
  unfold check_one. intros H. destruct o as [goal k|goal k|at_ f|at_ f], e as [counted entries|line]; try easy.
  1-3: exact (shown_by_sound g s _ counted entries H).
  destruct (arrive _ _ _ _ _ line) as [[n p]|] eqn:A; [|easy]. exists n, p. split; [|easy].
  apply (arrive_comes _ _ _ _ _ _ _ _ A). apply at_the_start.
Qed.

Theorem check_sound g c es : check g c es = true -> holds g c.
Proof.
  unfold check, holds. revert es. induction (objectives c) as [|o os IH]; intros [|e es] H; try easy. simpl in H.
  destruct (check_one _ _ _ _) eqn:O; [|now rewrite andb_false_r in H].
  constructor; [exact (check_one_sound g _ o e O) | exact (IH es H)].
Qed.

Theorem refute_sound g c e : refute g c e = true -> ~ holds g c.
Proof.
  unfold refute, holds. intros H A. apply existsb_exists in H. destruct H as (o & I & H).
  apply (proj1 (Forall_forall _ _) A) in I. revert I. clear A.
  set (s := plays c) in *. destruct o as [goal k|goal k|at_ f|at_ f], e as [counted entries|line]; try easy.
  1-3: apply andb_prop in H; destruct H as [N H]; apply (broken_refutes g s _ line); [now destruct (chooses s) | easy | easy].
  intros (n & p & C & S'). pose proof (shown_by_sound g (unchosen s) _ counted [] H) as K. simpl in K.
  assert (comes_to g (unchosen s) n p) as C'.
  { clear S'. induction C; [exact (at_the_start g (unchosen s)) | now apply (by_a_move g (unchosen s) n p m)]. }
  apply (every_play g (unchosen s) _ n p eq_refl K), keeps_next in C'; [|easy]. destruct C' as [F _].
  change (is_seen (unchosen s)) with (is_seen s) in F. now rewrite S' in F.
Qed.
