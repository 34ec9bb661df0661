#include "platform/observe/flows.h"

namespace podsim::observe {

Flows::Flows(const Timeline& timeline, const Selection& selection) {
  const auto& spans = timeline.spans();
  shown_.resize(spans.size());
  for (SpanId i = 0; i < spans.size(); ++i) {
    const Group& group = timeline.groups()[timeline.lanes()[spans[i].lane].group];
    const bool chosen = group.kind != GroupKind::kChip || selection.has(static_cast<ChipId>(group.number));
    shown_[i] = chosen && selection.overlaps(spans[i].begin, spans[i].end);
  }
  // Counting sort of the arrows by either end.
  const auto sort = [&](std::vector<std::uint32_t>& first, std::vector<std::uint32_t>& list, auto&& end) {
    const auto both = [&](const Arrow& arrow) { return shown_[arrow.from] && shown_[arrow.to]; };
    first.assign(spans.size() + 2, 0);
    for (const Arrow& arrow : timeline.arrows()) first[end(arrow) + 2] += both(arrow) ? 1 : 0;
    for (std::size_t i = 1; i < first.size(); ++i) first[i] += first[i - 1];
    list.resize(first.back());
    for (std::uint32_t i = 0; i < timeline.arrows().size(); ++i) {
      const Arrow& arrow = timeline.arrows()[i];
      if (both(arrow)) list[first[end(arrow) + 1]++] = i;
    }
  };
  sort(first_out_, out_, [](const Arrow& arrow) { return arrow.from; });
  sort(first_in_, in_, [](const Arrow& arrow) { return arrow.to; });
}

}  // namespace podsim::observe
