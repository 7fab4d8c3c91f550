(** * What may be forgotten about a race

    A race is summed up by nine fields as numbers and the active field. A summary [covers] a race for [m] more marks of
    Xavier's: every plan that he can still complete with [m] marks is open in the summary. So whatever it forgets does
    not matter, and only Xavier gains by it.

    Plan: summaries; if she loses, he can afford a plan ([lost_has_plan]); [covers], and that it lasts over his marks
    and hers ([covers_his], [covers_hers]); so [least] is no more than his marks ([lost_needs_least]), and only some of
    his marks are [in_time]; on a line that needs more than he can spare there, no mark matters ([covers_coarse]). *)

From Coq Require Import List Bool Arith Lia Uint63 PArray ZArith Ring63.
Import ListNotations.
From U3T Require Import Rules Symmetry Race Fields Needs.

Local Open Scope nat_scope.

(** ** Summaries *)

Record summary := Summary {
  field_0 : int; field_1 : int; field_2 : int;
  field_3 : int; field_4 : int; field_5 : int;
  field_6 : int; field_7 : int; field_8 : int;
  goes : option square
}.

Definition get (q : summary) (f : square) : int :=
  match f with
  | S0 => field_0 q | S1 => field_1 q | S2 => field_2 q | S3 => field_3 q | S4 => field_4 q | S5 => field_5 q
  | S6 => field_6 q | S7 => field_7 q | S8 => field_8 q
  end.

(** Field [f] becomes [x], and the active field [to]. *)
Definition change (q : summary) (f : square) (x : int) (to : option square) : summary :=
  let '(Summary a b c d e g h i j _) := q in
  match f with
  | S0 => Summary x b c d e g h i j to | S1 => Summary a x c d e g h i j to | S2 => Summary a b x d e g h i j to
  | S3 => Summary a b c x e g h i j to | S4 => Summary a b c d x g h i j to | S5 => Summary a b c d e x h i j to
  | S6 => Summary a b c d e g x i j to | S7 => Summary a b c d e g h x j to | S8 => Summary a b c d e g h i x to
  end.

Lemma get_change : forall q f x to g, get (change q f x to) g = if same f g then x else get q g.
Proof. intros [] [] x to []; reflexivity. Qed.

Lemma goes_change : forall q f x to, goes (change q f x to) = to.
Proof. intros [] [] x to; reflexivity. Qed.

(** ** Plans in a race *)

(** Olivia has no mark on it. *)
Definition alive (r : race) (w : plan) : Prop := forall f s, within w f s -> mark r f s <> Some Olivia.

(** The marks that he needs in one field of a plan, and in all. *)
Definition lacks (r : race) (w : plan) (f : square) : nat :=
  count (fun s => negb (is_taken (mark r f s))) (small w f).

Definition missing (r : race) (w : plan) : nat := sum_on (big w) (lacks r w).

Lemma count_at_most_3 : forall free l, count free l <= 3.
Proof.
  intros free l. unfold count. destruct (members l) as [[a b] c].
  destruct (free a), (free b), (free c); simpl; lia.
Qed.

Lemma count_more : forall free free' l, (forall s, on l s = true -> free s = true -> free' s = true) ->
  count free l <= count free' l.
Proof.
  intros free free' l M. unfold count, on in *. destruct (members l) as [[a b] c].
  pose proof (M a) as A. pose proof (M b) as B. pose proof (M c) as C. rewrite same_refl, ?orb_true_r in *. simpl in *.
  destruct (free a), (free b), (free c); simpl;
    try (rewrite A by easy); try (rewrite B by easy); try (rewrite C by easy); simpl; lia.
Qed.

Lemma count_same : forall free free' l, (forall s, free s = free' s) -> count free l = count free' l.
Proof. intros free free' l S. unfold count. destruct (members l) as [[a b] c]. now rewrite !S. Qed.

Lemma sum_on_more : forall l x y, (forall f, on l f = true -> x f <= y f) -> sum_on l x <= sum_on l y.
Proof.
  intros l x y M. unfold sum_on, on in *. destruct (members l) as [[a b] c].
  pose proof (M a) as A. pose proof (M b) as B. pose proof (M c) as C. rewrite !same_refl, ?orb_true_r in *. simpl in *.
  specialize (A eq_refl). specialize (B eq_refl). specialize (C eq_refl). lia.
Qed.

Lemma once_on_a_line : forall l f, sum_on l (fun g => if same f g then 1 else 0) <= 1.
Proof. intros [] []; unfold sum_on; simpl; lia. Qed.

Lemma sum_on_but_one : forall l x y f, (forall g, x g <= y g + if same f g then 1 else 0) ->
  sum_on l x <= sum_on l y + 1.
Proof.
  intros l x y f L. pose proof (once_on_a_line l f) as O. unfold sum_on in *. destruct (members l) as [[a b] c].
  pose proof (L a). pose proof (L b). pose proof (L c). lia.
Qed.

Lemma count_is_sum : forall free l, count free l = sum_on l (fun s => Nat.b2n (free s)).
Proof. reflexivity. Qed.

(** Before a mark of his, a plan is alive as well, and lacks one mark more at most. *)
Lemma plan_before_his : forall r f s w, mark r f s = None -> alive (after Xavier r f s) w ->
  alive r w /\ missing r w <= missing (after Xavier r f s) w + 1.
Proof.
  intros r f s w Free A. split.
  - intros g t I O. apply (A g t I). unfold after; cbn [mark].
    destruct (same_spec f g) as [<-|]; [|exact O]. destruct (same_spec s t) as [<-|]; [congruence|exact O].
  - apply (sum_on_but_one _ _ _ f). intro g. unfold lacks. rewrite !count_is_sum.
    destruct (same_spec f g) as [<-|N].
    + apply (sum_on_but_one _ _ _ s). intro t. unfold after; cbn [mark]. rewrite same_refl; cbn [andb].
      destruct (same s t); [|lia]. destruct (negb (is_taken (mark r f t))); simpl; lia.
    + rewrite Nat.add_0_r. apply sum_on_more. intros t _. unfold after; cbn [mark].
      destruct (same_spec f g); [easy|]. cbn [andb]. lia.
Qed.

(** Before a mark of hers that leaves it alive, it lacks no more than after it. *)
Lemma plan_before_hers : forall r f s w, mark r f s = None -> alive (after Olivia r f s) w ->
  alive r w /\ missing r w <= missing (after Olivia r f s) w /\ ~ within w f s.
Proof.
  intros r f s w Free A.
  assert (Out : ~ within w f s).
  { intro I. apply (A f s I). unfold after; cbn [mark]. now rewrite !same_refl. }
  refine (conj _ (conj _ Out)).
  - intros g t I O. apply (A g t I). unfold after; cbn [mark].
    destruct (same_spec f g) as [<-|]; [|exact O]. destruct (same_spec s t) as [<-|]; [easy|exact O].
  - apply sum_on_more. intros g B. apply count_more. intros t I. unfold after; cbn [mark].
    destruct (same_spec f g) as [<-|]; [|easy]. destruct (same_spec s t) as [<-|]; [|easy].
    now destruct Out.
Qed.

(** If she loses, he can afford a plan. *)
Lemma lost_has_plan : forall m r, she_loses m r -> exists w, alive r w /\ missing r w <= m.
Proof.
  assert (Won : forall m r, won r -> exists w, alive r w /\ missing r w <= m).
  { intros m r [w W]. exists w. split.
    - intros f s I O. rewrite (W f s I) in O. easy.
    - enough (missing r w <= sum_on (big w) (fun _ => 0)) as Z
        by (unfold sum_on in Z; destruct (members (big w)) as [[a b] c]; lia).
      apply sum_on_more. intros f B. unfold lacks. rewrite count_is_sum.
      enough (sum_on (small w f) (fun s => Nat.b2n (negb (is_taken (mark r f s)))) <=
              sum_on (small w f) (fun _ => 0)) as Z
        by (unfold sum_on in *; destruct (members (small w f)) as [[a b] c]; lia).
      apply sum_on_more. intros s I. rewrite (W f s (conj B I)). simpl. lia. }
  induction m as [|m IH]; intros r L; destruct L as [W|[(f & s & May) L]]; try now apply Won.
  - now destruct (L f s May).
  - destruct (L f s May) as (g & t & May' & L').
    destruct (IH _ L') as (w & A & M). destruct (plan_before_his _ g t w (proj1 May') A) as [A' M'].
    destruct (plan_before_hers r f s w (proj1 May) A') as (A'' & M'' & _). exists w. split; [exact A''|lia].
Qed.

(** ** A summary covers a race *)

Record covers (m : nat) (r : race) (q : summary) : Prop := {
  same_goes : goes q = target r;
  are_codes : forall f, is_code (get q f) = true;
  same_taken : forall f s, is_taken_in (get q f) s = is_taken (mark r f s);
  open_plans : forall w, alive r w -> missing r w <= m ->
    forall f, on (big w) f = true -> is_open (get q f) (small w f) = true
}.

Lemma lacks_is_lacking : forall m r q w f, covers m r q -> lacks r w f = lacking (get q f) (small w f).
Proof. intros m r q w f C. apply count_same. intro s. now rewrite (same_taken _ _ _ C). Qed.

Section Tables.
  Variable rows : array row.
  Variable totals : array int.
  Hypothesis rows_right : are_right rows = true.
  Hypothesis right_totals : totals_right totals = true.

  Definition row_of (q : summary) (f : square) : row := (rows.[get q f])%array.

  Definition need_of (q : summary) (f : square) : int := need (row_of q f).

  Definition entry_of (q : summary) : int := (totals.[index_of (need_of q)])%array.

  (** Where field [x] sends the player whose spot has its number. *)
  Definition sends (x : int) (s : square) : option square :=
    match free_spots (rows.[x])%array with [] => None | _ => Some s end.

  (** Field [f] becomes [x] by a mark on spot [s]. *)
  Definition played (q : summary) (f s : square) (x : int) : summary :=
    change q f x (sends (if same f s then x else get q s) s).

  Lemma sends_spec : forall x s, is_code x = true ->
    sends x s = if forallb (is_taken_in x) squares then None else Some s.
  Proof.
    intros x s Code. pose proof (rows_are_right rows x rows_right Code) as R. unfold sends.
    destruct (forallb (is_taken_in x) squares) eqn:Full.
    - destruct (free_spots _) as [|o os] eqn:E; [easy|].
      assert (T : is_taken_in x (spot o) = false) by (apply (spot_is_free _ _ R); rewrite E; now left).
      rewrite forallb_forall in Full. rewrite (Full _ (in_squares _)) in T. easy.
    - destruct (free_spots _) as [|o os] eqn:E; [|easy]. exfalso.
      rewrite <- not_true_iff_false in Full. apply Full, forallb_forall. intros t _.
      destruct (is_taken_in x t) eqn:T; [easy|].
      destruct (every_free_spot _ _ R t T) as (o & I & _). now rewrite E in I.
  Qed.

  Lemma covers_after : forall who m m' r q f s x opens,
    covers m r q ->
    field_becomes x (fun t => is_taken_in (get q f) t || same s t) opens ->
    (forall w, alive (after who r f s) w -> alive r w /\ (missing (after who r f s) w <= m' -> missing r w <= m)) ->
    (forall w, alive (after who r f s) w -> on (big w) f = true -> is_open (get q f) (small w f) = true ->
      opens (small w f) = true) ->
    covers m' (after who r f s) (played q f s x).
  Proof.
    intros who m m' r q f s x opens C B Plans Opens.
    assert (T : forall g t, is_taken_in (get (played q f s x) g) t = is_taken (mark (after who r f s) g t)).
    { intros g t. unfold played, after; cbn [mark]. rewrite get_change.
      destruct (same_spec f g) as [<-|]; cbn [andb]; [|apply (same_taken _ _ _ C)].
      rewrite (takes_these _ _ _ B), (same_taken _ _ _ C).
      destruct (same s t); [apply orb_true_r | apply orb_false_r]. }
    assert (X : forall g, is_code (get (played q f s x) g) = true).
    { intro g. unfold played. rewrite get_change. destruct (same f g); [apply B | apply C]. }
    split; [|exact X|exact T|].
    - specialize (T s). specialize (X s). unfold played in *. rewrite goes_change. rewrite get_change in T, X.
      rewrite sends_spec by exact X. cbn [after target].
      enough (E : forallb (is_taken_in (if same f s then x else get q s)) squares =
                  forallb (fun t => is_taken (mark (after who r f s) s t)) squares) by (rewrite E; reflexivity).
      clear - T. induction squares as [|t ts IH]; [easy|]. cbn [forallb]. rewrite IH. f_equal. apply T.
    - intros w A M g G. destruct (Plans w A) as [A' M']. unfold played. rewrite get_change.
      pose proof (open_plans _ _ _ C w A' (M' M) g G) as Op.
      destruct (same_spec f g) as [<-|]; [|exact Op]. apply (opens_these _ _ _ B), Opens; assumption.
  Qed.

  Lemma covers_his : forall m r q f o, covers (S m) r q -> In o (free_spots (row_of q f)) ->
    covers m (after Xavier r f (spot o)) (played q f (spot o) (his o)).
  Proof.
    intros m r q f o C I. pose proof (rows_are_right rows _ rows_right (are_codes _ _ _ C f)) as R.
    assert (Free : mark r f (spot o) = None).
    { pose proof (spot_is_free _ _ R o I) as T. rewrite (same_taken _ _ _ C) in T. now destruct (mark r f (spot o)). }
    apply (covers_after _ (S m) m _ _ _ _ _ _ C (after_his _ _ R o I)); [|easy].
    intros w A. destruct (plan_before_his r f _ w Free A). split; [easy|lia].
  Qed.

  Lemma covers_hers : forall m r q f o, covers m r q -> In o (free_spots (row_of q f)) ->
    covers m (after Olivia r f (spot o)) (played q f (spot o) (hers o)).
  Proof.
    intros m r q f o C I. pose proof (rows_are_right rows _ rows_right (are_codes _ _ _ C f)) as R.
    assert (Free : mark r f (spot o) = None).
    { pose proof (spot_is_free _ _ R o I) as T. rewrite (same_taken _ _ _ C) in T. now destruct (mark r f (spot o)). }
    apply (covers_after _ m m _ _ _ _ _ _ C (after_hers _ _ R o I)).
    - intros w A. destruct (plan_before_hers r f _ w Free A) as (A' & M & _). split; [easy|lia].
    - intros w A B Op. rewrite Op. destruct (plan_before_hers r f _ w Free A) as (_ & _ & Out). simpl.
      destruct (on (small w f) (spot o)) eqn:E; [now destruct Out|easy].
  Qed.

  (** Whatever is free in the race may be played in the summary. *)
  Lemma may_be_played : forall m r q f s, covers m r q -> may r f s ->
    (goes q = None \/ goes q = Some f) /\ exists o, In o (free_spots (row_of q f)) /\ spot o = s.
  Proof.
    intros m r q f s C [Free T]. split; [now rewrite (same_goes _ _ _ C)|].
    apply (every_free_spot _ _ (rows_are_right rows _ rows_right (are_codes _ _ _ C f))).
    now rewrite (same_taken _ _ _ C), Free.
  Qed.

  Lemma played_may : forall m r q f o, covers m r q -> (goes q = None \/ goes q = Some f) ->
    In o (free_spots (row_of q f)) -> may r f (spot o).
  Proof.
    intros m r q f o C T I. rewrite (same_goes _ _ _ C) in T. split; [|exact T].
    pose proof (spot_is_free _ _ (rows_are_right rows _ rows_right (are_codes _ _ _ C f)) o I) as Free.
    rewrite (same_taken _ _ _ C) in Free. now destruct (mark r f (spot o)).
  Qed.

  (** ** Needs *)

  Lemma need_is_need : forall m r q, covers m r q -> forall f, In (need_of q f) needs.
  Proof. intros m r q C f. apply (need_is_a_need _ _ (rows_are_right rows _ rows_right (are_codes _ _ _ C f))). Qed.

  Lemma need_at_most : forall m r q w f, covers m r q -> alive r w -> missing r w <= m -> on (big w) f = true ->
    to_nat (need_of q f) <= lacks r w f <= 3.
  Proof.
    intros m r q w f C A M B. split; [|apply count_at_most_3]. rewrite (lacks_is_lacking _ _ _ _ _ C).
    apply (need_is_least _ _ (rows_are_right rows _ rows_right (are_codes _ _ _ C f))).
    apply (open_plans _ _ _ C); assumption.
  Qed.

  Lemma lost_needs_least : forall m r q, covers m r q -> she_loses m r -> to_nat (least (entry_of q)) <= m.
  Proof.
    intros m r q C L. destruct (lost_has_plan m r L) as (w & A & M).
    apply Nat.le_trans with (missing r w); [|exact M].
    apply (least_bound totals right_totals (need_of q) (need_is_need m r q C)). intros f B.
    now apply (need_at_most m r q w f).
  Qed.

  Lemma won_needs_nothing : forall m r q, covers m r q -> won r -> to_nat (least (entry_of q)) = 0.
  Proof.
    intros m r q C W. enough (to_nat (least (entry_of q)) <= 0) by lia.
    apply (lost_needs_least 0 r); [|now left]. destruct C as [G X T P]. split; [exact G|exact X|exact T|].
    intros w A M. apply P; [exact A|lia].
  Qed.

  (** His mark in field [f] is in time only if what he needs besides fits into the marks that are left after it. *)
  Lemma in_time : forall m r q f o, covers (S m) r q -> In o (free_spots (row_of q f)) ->
    she_loses m (after Xavier r f (spot o)) ->
    to_nat (least (entry_of q)) <= m \/ to_nat (need (rows.[his o])%array) + to_nat (others (entry_of q) f) <= m.
  Proof.
    intros m r q f o C I L. pose proof (covers_his m r q f o C I) as C'.
    destruct (lost_has_plan _ _ L) as (w & A & M).
    assert (N : forall g, on (big w) g = true -> g <> f ->
              to_nat (need_of q g) <= lacks (after Xavier r f (spot o)) w g <= 3).
    { intros g B D. pose proof (need_at_most _ _ _ w g C' A M B) as N. unfold need_of, row_of, played in N.
      rewrite get_change in N. now destruct (same_spec f g); [congruence|]. }
    destruct (on (big w) f) eqn:B; [right|left].
    - pose proof (need_at_most _ _ _ w f C' A M B) as [N' _]. unfold need_of, row_of, played in N'.
      rewrite get_change, same_refl in N'.
      pose proof (others_bound totals right_totals (need_of q) (need_is_need _ r q C) (big w) f _ B N) as O.
      unfold missing in M. rewrite (sum_with _ f _ B) in M. unfold entry_of. lia.
    - apply Nat.le_trans with (missing (after Xavier r f (spot o)) w); [|exact M].
      apply (least_bound totals right_totals (need_of q) (need_is_need _ r q C)). intros g G. apply N; congruence.
  Qed.

  (** ** What may be forgotten *)

  (** Field [f] without the lines that need more than [m] marks leave for it. *)
  Definition coarse_field (m : int) (entry : int) (q : summary) (f : square) : int :=
    let beside := others entry f in
    let row := row_of q f in
    if (m <=? beside)%uint63 then within_0 row else
    let spare := (m - beside)%uint63 in
    if (spare =? 1)%uint63 then within_1 row else if (spare =? 2)%uint63 then within_2 row else get q f.

  Definition coarse (m : int) (q : summary) : summary :=
    let c := coarse_field m (entry_of q) q in
    Summary (c S0) (c S1) (c S2) (c S3) (c S4) (c S5) (c S6) (c S7) (c S8) (goes q).

  Lemma get_coarse : forall m q f, get (coarse m q) f = coarse_field m (entry_of q) q f.
  Proof. intros m q []; reflexivity. Qed.

  Lemma covers_coarse : forall m i r q, to_nat i = m -> covers m r q -> covers m r (coarse i q).
  Proof.
    intros m i r q E C.
    assert (K : forall f, exists most, field_becomes (coarse_field i (entry_of q) q f) (is_taken_in (get q f))
      (is_within most (get q f)) /\
      (most + to_nat (others (entry_of q) f) >= m \/ most >= 3)).
    { intro f. pose proof (rows_are_right rows _ rows_right (are_codes _ _ _ C f)) as R. unfold coarse_field. cbv zeta.
      pose proof (to_nat_spec i) as I. pose proof (to_nat_spec (others (entry_of q) f)) as O.
      destruct (i <=? others (entry_of q) f)%uint63 eqn:L1.
      { exists 0. split; [apply (right_within_0 _ _ R)|]. apply leb_spec in L1. lia. }
      assert (S_ : to_Z (i - others (entry_of q) f) = (to_Z i - to_Z (others (entry_of q) f))%Z).
      { rewrite <- not_true_iff_false, leb_spec in L1. rewrite sub_spec. apply Z.mod_small.
        pose proof (to_Z_bounded i). pose proof (to_Z_bounded (others (entry_of q) f)). lia. }
      destruct (i - others (entry_of q) f =? 1)%uint63 eqn:E1.
      { apply eqb_spec in E1. rewrite E1 in S_. change (to_Z 1) with 1%Z in S_. exists 1.
        split; [apply (right_within_1 _ _ R)|lia]. }
      destruct (i - others (entry_of q) f =? 2)%uint63 eqn:E2.
      { apply eqb_spec in E2. rewrite E2 in S_. change (to_Z 2) with 2%Z in S_. exists 2.
        split; [apply (right_within_2 _ _ R)|lia]. }
      exists 3. split; [|lia]. split; [apply C | easy |]. intros l W. now apply andb_prop in W. }
    split.
    - apply C.
    - intro f. rewrite get_coarse. destruct (K f) as (most & B & _). apply B.
    - intros f s. rewrite get_coarse, <- (same_taken _ _ _ C). destruct (K f) as (most & B & _). apply B.
    - intros w A M f F. rewrite get_coarse. destruct (K f) as (most & B & Most).
      apply (opens_these _ _ _ B). apply andb_true_intro. split; [now apply (open_plans _ _ _ C)|].
      apply Nat.leb_le. rewrite <- (lacks_is_lacking _ _ _ _ _ C).
      pose proof (need_at_most _ _ _ w f C A M F) as N.
      assert (O : to_nat (others (entry_of q) f) <= sum_beside (big w) f (lacks r w)).
      { apply (others_bound totals right_totals (need_of q) (need_is_need _ r q C)); [exact F|].
        intros g G _. now apply (need_at_most _ _ _ w g C). }
      unfold missing in M. rewrite (sum_with _ f _ F) in M. lia.
  Qed.
End Tables.
